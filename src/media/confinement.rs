//! Restrictions that the process for uploads sets on itself before it reads the upload: no files,
//! no new privileges, a limit of memory, a seccomp filter. It ends when its parent does.

use rustix::process::{
    Pid, Resource, Rlimit, Signal, getppid, getrlimit, getuid, nice,
    set_parent_process_death_signal, setrlimit,
};
use rustix::thread::set_no_new_privs;
use seccompiler::SeccompCmpArgLen::Dword;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};
use std::collections::BTreeMap;
use std::fs;
use std::io;

/// Address space of the process, code and stack included. Resident memory stays within 300 MB,
/// since not every page is touched.
const MEMORY_BYTES_MAX: u64 = 340 * 1024 * 1024;
/// The slowest picture within the limit of pixels takes a tenth of it.
const CPU_SECONDS_MAX: u64 = 60;
/// Headroom of `RLIMIT_NPROC` over the user's threads: one decoder starts a thread a channel, and
/// the server may start some meanwhile. A limit of zero refused such pictures for every user but
/// root, whom the limit does not bind.
const THREADS_MORE: u64 = 32;
/// Requests of visitors have priority over decoding.
const NICENESS: i32 = 10;

/// Options of `prctl`.
const PR_SET_NAME: u32 = 15;
const PR_SET_VMA: u32 = 0x5356_4D41;
/// System calls of a process that reads standard input, decodes, and writes standard output, found
/// by tracing every format. Those that open files are among them only because the allocator looks
/// for the number of processors; `RLIMIT_NOFILE` makes them fail.
const SYSTEM_CALLS: &[libc::c_long] = &[
    // Input and answer.
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_close,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_lseek,
    libc::SYS_ppoll,
    libc::SYS_openat,
    // Memory.
    libc::SYS_brk,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_madvise,
    // `qsort` of glibc asks how much memory there is.
    libc::SYS_sysinfo,
    // Threads.
    libc::SYS_clone,
    libc::SYS_clone3,
    libc::SYS_futex,
    libc::SYS_get_robust_list,
    libc::SYS_set_robust_list,
    libc::SYS_rseq,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_yield,
    libc::SYS_set_tid_address,
    libc::SYS_sigaltstack,
    // The end, also by `abort`.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_gettid,
    libc::SYS_getpid,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_restart_syscall,
    // Hash maps and time.
    libc::SYS_getrandom,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
];

/// Confines this process. `parent` is the process that started it and dies with it.
pub(super) fn confine(parent: Option<u32>) -> io::Result<()> {
    die_with(parent)?;
    apply_resource_limits()?;
    set_no_new_privs(true)?;
    filter_system_calls()
}

/// Fails when the parent has ended already: the signal would never come.
fn die_with(parent: Option<u32>) -> io::Result<()> {
    let Some(parent) = parent else { return Ok(()) };
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let parent = i32::try_from(parent).ok().and_then(Pid::from_raw);
    if parent.is_none() || getppid() != parent {
        return Err(io::Error::other(
            "the process that started this one has ended",
        ));
    }
    Ok(())
}

/// Counts this user's threads, as far as /proc shows them; `RLIMIT_NPROC` counts all.
fn own_threads() -> u64 {
    let own = getuid().as_raw().to_string();
    let of = |status: &str| -> Option<u64> {
        let mut lines = status.lines();
        let user = lines.find_map(|line| line.strip_prefix("Uid:"))?;
        let threads = lines.find_map(|line| line.strip_prefix("Threads:"))?;
        let is_own = user.split_whitespace().next() == Some(own.as_str());
        is_own.then(|| threads.trim().parse().ok())?
    };
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let statuses = processes.filter_map(|one| fs::read_to_string(one.path().join("status")).ok());
    statuses.filter_map(|status| of(&status)).sum()
}

/// Limits memory, CPU time and threads of this process, and forbids it to open or write files.
fn apply_resource_limits() -> io::Result<()> {
    let threads_max = own_threads() + THREADS_MORE;
    let limits = [
        (Resource::As, MEMORY_BYTES_MAX, MEMORY_BYTES_MAX),
        // The soft limit ends it by a signal of its own; at the hard one it would be SIGKILL, as if
        // somebody had ended it.
        (Resource::Cpu, CPU_SECONDS_MAX, CPU_SECONDS_MAX + 1),
        (Resource::Nofile, 0, 0),
        (Resource::Fsize, 0, 0),
        (Resource::Nproc, threads_max, threads_max),
        (Resource::Core, 0, 0),
    ];
    for (resource, current, maximum) in limits {
        let allowed = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        let [current, maximum] = [current, maximum].map(|wanted| Some(wanted.min(allowed)));
        setrlimit(resource, Rlimit { current, maximum })?;
    }
    // A service manager may forbid it; decoding then competes with requests.
    if let Err(error) = nice(NICENESS) {
        tracing::debug!(%error, "the priority stays");
    }
    Ok(())
}

/// Ends this process at any other system call. A kernel without filters leaves the other limits.
fn filter_system_calls() -> io::Result<()> {
    let Ok(architecture) = TargetArch::try_from(std::env::consts::ARCH) else {
        return Ok(());
    };
    let first_argument = |is: u32| {
        let equals = SeccompCondition::new(0, Dword, SeccompCmpOp::Eq, is.into())?;
        SeccompRule::new(vec![equals])
    };
    let rules = || {
        Ok::<_, BackendError>([
            // `abort`. Another process, the server among them, cannot be signalled.
            (libc::SYS_tgkill, vec![first_argument(std::process::id())?]),
            // The name of a thread, and of memory that the allocator maps.
            (
                libc::SYS_prctl,
                vec![first_argument(PR_SET_NAME)?, first_argument(PR_SET_VMA)?],
            ),
        ])
    };
    let mut calls: BTreeMap<i64, _> = SYSTEM_CALLS
        .iter()
        .map(|call| (*call, Vec::new()))
        .collect();
    calls.extend(rules().map_err(io::Error::other)?);
    let filter = SeccompFilter::new(
        calls,
        SeccompAction::KillProcess,
        SeccompAction::Allow,
        architecture,
    );
    let program: BpfProgram = filter
        .and_then(TryInto::try_into)
        .map_err(io::Error::other)?;
    match apply_filter(&program) {
        // The kernel has no filters, or an outer sandbox refuses them.
        Err(seccompiler::Error::Seccomp(error)) => {
            tracing::debug!(%error, "no filter of system calls");
            Ok(())
        }
        applied => applied.map_err(io::Error::other),
    }
}

#[cfg(test)]
mod tests {
    use std::net::UdpSocket;
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::Command;

    const PROCESS: &str = "confinement::tests::process_that_opens_a_socket";

    #[test]
    #[ignore = "the process of a_forbidden_system_call_ends_the_process"]
    fn process_that_opens_a_socket() {
        super::filter_system_calls().unwrap();
        drop(UdpSocket::bind("127.0.0.1:0"));
        unreachable!("the filter did not end this process");
    }

    #[test]
    fn a_forbidden_system_call_ends_the_process() {
        let mut process = Command::new(std::env::current_exe().unwrap());
        process.args(["--exact", PROCESS, "--ignored", "--test-threads=1"]);
        let ended = process.output().unwrap();
        assert_eq!(ended.status.signal(), Some(libc::SIGSYS), "{ended:?}");
    }
}
