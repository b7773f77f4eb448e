//! Builds the UI into the binary: only when its inputs changed, and not at all when a prebuilt one is current.
//!
//! Output: `$OUT_DIR/ui/client` and `$OUT_DIR/ui/server`, which `src/ui_assets.rs` embeds.
//! `ui/dist` is taken instead when its `stamp` is the hash of the inputs; it is made by `cargo build` on another machine
//! and copied, stamp included. Of the folder that `RESPIRO_UI_DIST` names, another stamp is an error.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What the UI build reads, seen from `ui/`. Never what it writes: every build would be dirty.
const INPUTS: &[&str] = &[
    "src",
    "public",
    "admin.html",
    "package.json",
    "package-lock.json",
    ".npmrc",
    "vite.config.ts",
    "dev-server.ts",
    "style-rules.ts",
    "guide-plugin.ts",
    "plain-rules.ts",
    "browser-floor.ts",
    "tsconfig.json",
    // The guide inside the panel.
    "../docs/uso.md",
    "../docs/uso",
];
/// What decides the installed packages; a copy of it is their stamp.
const LOCK: &str = "package-lock.json";
/// The oldest Node.js that Vite 8 runs on.
const NODE_MIN: (u32, u32) = (20, 19);
const STAMP: &str = "stamp";
const LOCK_STAMP: &str = "node_modules/.respiro-lock";

type Fallible<T> = Result<T, String>;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("cargo::error={}", message.replace('\n', " "));
            ExitCode::FAILURE
        }
    }
}

fn run() -> Fallible<()> {
    let ui = PathBuf::from(variable("CARGO_MANIFEST_DIR")?).join("ui");
    let out = PathBuf::from(variable("OUT_DIR")?).join("ui");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RESPIRO_UI_DIST");
    for input in INPUTS.iter().map(|name| ui.join(name)) {
        if input.exists() {
            println!("cargo::rerun-if-changed={}", input.display());
        }
    }
    let hash = hash_of(&ui, INPUTS)?;
    if let Some(prebuilt) = env::var_os("RESPIRO_UI_DIST") {
        let prebuilt = Path::new(&prebuilt);
        println!("cargo::rerun-if-changed={}", prebuilt.join(STAMP).display());
        if stamp_of(&prebuilt.join(STAMP)).as_ref() != Some(&hash) {
            return Err(format!(
                "{} was not built from these sources: copy the folder `ui` of a `cargo build` of the same commit, \
                 with its file `stamp`, or unset RESPIRO_UI_DIST",
                prebuilt.display()
            ));
        }
        return replace(prebuilt, &out);
    }
    if stamp_of(&out.join(STAMP)).as_ref() == Some(&hash) {
        return Ok(());
    }
    let dist = ui.join("dist");
    if stamp_of(&dist.join(STAMP)).as_ref() == Some(&hash) {
        return replace(&dist, &out);
    }
    check_node()?;
    install(&ui)?;
    build(&ui, &out)?;
    write(&out.join(STAMP), &hash)
}

fn variable(name: &str) -> Fallible<String> {
    env::var(name).map_err(|error| format!("{name}: {error}"))
}

fn stamp_of(file: &Path) -> Option<String> {
    fs::read_to_string(file).ok()
}

fn write(file: &Path, text: &str) -> Fallible<()> {
    fs::write(file, text).map_err(|error| said(file, &error))
}

fn said(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// FNV-1a over names and contents: its value must not change with the Rust version.
fn hash_of(folder: &Path, names: &[&str]) -> Fallible<String> {
    let mut files = Vec::new();
    for path in names.iter().map(|name| folder.join(name)) {
        collect(&path, &mut files).map_err(|error| said(&path, &error))?;
    }
    files.sort();
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut feed = |bytes: &[u8]| {
        for byte in bytes.iter().chain(&(bytes.len() as u64).to_le_bytes()) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    };
    for file in files {
        let name = file.strip_prefix(folder).unwrap_or(&file);
        feed(name.to_string_lossy().replace('\\', "/").as_bytes());
        feed(&fs::read(&file).map_err(|error| said(&file, &error))?);
    }
    Ok(format!("{hash:016x}"))
}

/// Every file at or below `path`; none when it does not exist.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            collect(&entry?.path(), files)?;
        }
    } else if path.is_file() {
        files.push(path.to_owned());
    }
    Ok(())
}

/// Makes `out` a copy of `from`.
fn replace(from: &Path, out: &Path) -> Fallible<()> {
    if !from.join("server/server.js.gz").is_file() || !from.join("client").is_dir() {
        return Err(format!(
            "{} is no built UI: it needs client/ and server/server.js.gz",
            from.display()
        ));
    }
    clear(out)?;
    let mut files = Vec::new();
    collect(from, &mut files).map_err(|error| said(from, &error))?;
    for file in files {
        let target = out.join(file.strip_prefix(from).unwrap_or(&file));
        let folder = target.parent().unwrap_or(out);
        fs::create_dir_all(folder).map_err(|error| said(folder, &error))?;
        fs::copy(&file, &target).map_err(|error| said(&file, &error))?;
    }
    Ok(())
}

fn clear(folder: &Path) -> Fallible<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| said(folder, &error))?;
    }
    fs::create_dir_all(folder).map_err(|error| said(folder, &error))
}

fn check_node() -> Fallible<()> {
    let (major, minor) = NODE_MIN;
    let needed = format!(
        "install Node.js {major}.{minor} or newer (https://nodejs.org), or set RESPIRO_UI_DIST to \
         a built UI, then run this again"
    );
    let output = Command::new("node")
        .arg("--version")
        .output()
        .map_err(|error| format!("Node.js was not found ({error}): {needed}"))?;
    let version = String::from_utf8_lossy(&output.stdout);
    let mut numbers = version
        .trim()
        .trim_start_matches('v')
        .split('.')
        .map(|part| part.parse::<u32>().unwrap_or(0));
    let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if found < NODE_MIN {
        return Err(format!(
            "Node.js {} is too old for the UI build: {needed}",
            version.trim()
        ));
    }
    Ok(())
}

/// `npm ci`, only when the lock changed (`tests/all.sh` leaves the same stamp); under a lock of its
/// own, for an editor and a terminal may both build.
fn install(ui: &Path) -> Fallible<()> {
    let guard_path = ui.join("node_modules.lock");
    let guard = File::create(&guard_path).map_err(|error| said(&guard_path, &error))?;
    guard.lock().map_err(|error| said(&guard_path, &error))?;
    let lock_path = ui.join(LOCK);
    let lock = fs::read_to_string(&lock_path).map_err(|error| said(&lock_path, &error))?;
    let stamp = ui.join(LOCK_STAMP);
    if stamp_of(&stamp).as_ref() == Some(&lock) {
        return Ok(());
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut command = Command::new(npm);
    // NODE_ENV=production in the environment would make npm leave Vite out.
    command.current_dir(ui).args([
        "ci",
        "--include=dev",
        "--prefer-offline",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
    ]);
    succeed(command, "npm ci")?;
    write(&stamp, &lock)
}

/// Vite into the output folder, by way of a fresh one: a failed build leaves no half.
fn build(ui: &Path, out: &Path) -> Fallible<()> {
    clear(out)?;
    let mut command = Command::new("node");
    command
        .current_dir(ui)
        .args(["node_modules/vite/bin/vite.js", "build", "--app"])
        .env("UI_OUT", out)
        .env("NODE_ENV", "production");
    succeed(command, "vite build")
}

fn succeed(mut command: Command, name: &str) -> Fallible<()> {
    let output = command
        .output()
        .map_err(|error| format!("{name} did not start: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    Err(format!(
        "{name} failed ({}): {}",
        output.status,
        said.trim()
    ))
}
