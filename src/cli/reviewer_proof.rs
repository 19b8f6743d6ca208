//! `reviewer proof`: one decision as files that plain OpenSSH can check, without this program.

use crate::cli::Answer;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::desk::Desk;
use crate::domain::EntrySeq;
use clap::{Arg, ArgMatches, Command as Clap};
use serde_json::json;
use std::path::PathBuf;

pub(in crate::cli) fn define() -> Clap {
    Clap::new("proof")
        .about("Write what was signed, its signature and the list, for `ssh-keygen -Y verify`")
        .arg(
            Arg::new("entry")
                .required(true)
                .help("The decision's entry, E-12"),
        )
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("FOLDER")
                .required(true)
                .help("Where the files go"),
        )
}

pub(in crate::cli) fn run(
    desk: &Desk,
    arguments: &ArgMatches,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let text = |name: &str| arguments.get_one::<String>(name).map_or("", String::as_str);
    let proof = desk.proof(EntrySeq::parse(text("entry"))?)?;
    let folder = PathBuf::from(text("out"));
    let signed = folder.join(format!("{}.json", proof.entry));
    let files = [
        (signed.clone(), &proof.statement),
        (
            folder.join(format!("{}.json.sig", proof.entry)),
            &proof.armored,
        ),
        (folder.join("allowed_signers"), &proof.allowed_signers),
    ];
    let failed = |error: std::io::Error| {
        Failure::usage(
            &format!("the files cannot be written: {error}"),
            "name another folder with --out",
        )
    };
    std::fs::create_dir_all(&folder).map_err(failed)?;
    for (file, text) in &files {
        std::fs::write(file, text).map_err(failed)?;
    }
    let command = format!(
        "ssh-keygen -Y verify -f allowed_signers -I {} -n {} -Overify-time={} -s {entry}.json.sig < {entry}.json",
        proof.principal,
        proof.namespace,
        proof.verify_time,
        entry = proof.entry
    );
    if context.json {
        context.say_json(&json!({ "entry": proof.entry, "file": signed.display().to_string(), "check": command }))?;
    } else {
        context.say(&format!(
            "wrote {}",
            crate::text::line(&folder.display().to_string())
        ))?;
        context.say(&format!("check it there with: {command}"))?;
    }
    Ok(Answer::Yes)
}
