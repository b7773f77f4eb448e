//! Test helper: small file systems, which tests fill or mount read-only. Mounting needs root.
#![allow(
    dead_code,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "each test binary uses a part, stops where a step fails and says when it cannot run"
)]

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A small file system. Dropping it unmounts it.
pub struct SmallDisk(TempDir);

impl SmallDisk {
    /// Returns `None` where mounting is not allowed; the test then reports that it was skipped.
    pub fn mount(mebibytes: u32) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let options = format!("size={mebibytes}m");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "tmpfs"])
            .arg(folder.path())
            .output();
        let mounted = mounted.is_ok_and(|output| output.status.success());
        if !mounted {
            eprintln!("skipped: mounting a small file system needs root");
        }
        mounted.then_some(Self(folder))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Remounts the file system read-only, or writable again.
    pub fn set_read_only(&self, read_only: bool) {
        let options = if read_only {
            "remount,ro"
        } else {
            "remount,rw"
        };
        let status = Command::new("mount")
            .args(["-o", options])
            .arg(self.path())
            .status();
        assert!(status.unwrap().success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // A process may still have a file open: a lazy unmount ends with the last one.
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}

/// Fills the file system with a file, as another program would. Returns its path.
pub fn fill_up(folder: &Path) -> PathBuf {
    let number = fs::read_dir(folder).unwrap().count();
    let path = folder.join(format!("somebody-elses-{number}"));
    let mut file = File::create(&path).unwrap();
    let mut block = vec![1_u8; 1024 * 1024];
    while !block.is_empty() {
        if file.write_all(&block).is_err() {
            block.truncate(block.len() / 2);
        }
    }
    path
}
