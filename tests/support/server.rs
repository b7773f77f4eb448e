//! Test helper: runs the program as an operator does, until the value is dropped.
#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test binary uses a part and stops where a step fails"
)]

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

pub fn respiro(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_respiro"));
    command.env_clear().arg("--data").arg(data);
    command
}

pub struct Server {
    child: Child,
    pub origin: String,
}

impl Server {
    /// Starts the server, and waits until it answers.
    pub fn start(data: &Path, options: &[&str]) -> Self {
        let mut child = respiro(data)
            .args(options)
            .args(["--listen", "127.0.0.1:0", "--log-format", "json"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let origin = loop {
            let mut line = String::new();
            assert!(log.read_line(&mut line).unwrap() > 0, "it ended");
            let json: serde_json::Value = serde_json::from_str(&line).unwrap();
            if json["message"] == "ready" {
                break json["url"].as_str().unwrap().to_owned();
            }
        };
        thread::spawn(move || log.read_to_end(&mut Vec::new()));
        Self { child, origin }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
