//! The binary: the protocol loop, one command given as arguments, a match between engines, or the
//! tuning of this one.

use std::process::ExitCode;

use clap::Parser;
use lightcone::protocol::{Failure, Output, run_command, serve};
use lightcone::{tournament, tuning};

/// An engine for 5D Chess With Multiverse Time Travel.
///
/// Without a command it speaks UCI and 5DUCI on standard input and output. With one it runs that
/// command on a position and exits: `lightcone go movetime 1000 variant Standard`. The command
/// `help` lists them all. `lightcone match --help` is about matches between engines, `lightcone
/// selfplay --help`, `lightcone tune --help` and `lightcone spsa --help` are about tuning.
#[derive(Parser)]
#[command(version, about, disable_help_subcommand = true)]
struct Arguments {
    /// A command, its words, and the words of `position`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    words: Vec<String>,
}

fn main() -> ExitCode {
    env_logger::init();
    let mut words = std::env::args();
    if let Some(command) = words.nth(1) {
        let words = std::iter::once(format!("lightcone {command}")).chain(words);
        match command.as_str() {
            "match" => return tournament::main(words),
            "selfplay" => return tuning::selfplay_main(words),
            "tune" => return tuning::tune_main(words),
            "spsa" => return tuning::spsa_main(words),
            _ => {}
        }
    }
    let arguments = Arguments::parse();
    if arguments.words.is_empty() {
        serve(std::io::stdin(), Output::new(Box::new(std::io::stdout())));
        return ExitCode::SUCCESS;
    }
    let output = Output::for_command(Box::new(std::io::stdout()));
    match run_command(&arguments.words, output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Input) => ExitCode::from(1),
        Err(Failure::Usage) => {
            eprintln!("there is no such command; try: lightcone help");
            ExitCode::from(2)
        }
    }
}
