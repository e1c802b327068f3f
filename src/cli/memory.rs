//! How much memory the program may use, and what sets that limit.

use std::path::Path;

use serde::Serialize;

/// Source of the limit that applies, which is the smallest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Bound {
    /// Memory of the machine.
    MemTotal,
    /// Limit of a control group, as used for containers and services.
    #[serde(rename = "cgroup")]
    Cgroup,
    /// Address space limit of the process, set by `ulimit -v`.
    #[serde(rename = "RLIMIT_AS")]
    AddressSpace,
    /// No known limit.
    #[serde(rename = "unknown")]
    Unknown,
}

impl Bound {
    /// Description of the limit for `doctor`.
    pub fn about(self) -> &'static str {
        match self {
            Self::MemTotal => "all of this machine (MemTotal)",
            Self::Cgroup => "set by the control group of this process (cgroup)",
            Self::AddressSpace => "set for this process (RLIMIT_AS, ulimit -v)",
            Self::Unknown => "assumed, because this system reports no limit",
        }
    }
}

/// A memory limit and its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    pub bytes: u64,
    pub bound: Bound,
}

impl Limit {
    /// Memory that is left when the program starts.
    pub fn left(self) -> u64 {
        // The size of the address space and of its part in memory, in pages.
        let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let nth = usize::from(self.bound != Bound::AddressSpace);
        let used = pages.split(' ').nth(nth).and_then(|n| n.parse().ok());
        self.bytes.saturating_sub(4096 * used.unwrap_or(0))
    }
}

/// Limit assumed if the system reports none: 64 GB.
const ASSUMED: u64 = 64 << 30;

/// Limit that applies to this process.
pub fn limit() -> Limit {
    let content = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    least([
        (
            Bound::MemTotal,
            bytes(&content("/proc/meminfo"), "MemTotal:"),
        ),
        (
            Bound::Cgroup,
            control_group(&content("/proc/self/cgroup"), Path::new("/sys/fs/cgroup")),
        ),
        (Bound::AddressSpace, address_space()),
    ])
}

/// Smallest of the known limits; the first of equal ones.
fn least(all: [(Bound, Option<u64>); 3]) -> Limit {
    let known = all
        .into_iter()
        .filter_map(|(bound, bytes)| bytes.map(|bytes| Limit { bytes, bound }));
    known.min_by_key(|limit| limit.bytes).unwrap_or(Limit {
        bytes: ASSUMED,
        bound: Bound::Unknown,
    })
}

/// The size with this key in the system's text: `MemTotal:` in `/proc/meminfo`.
pub(super) fn bytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with(key))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    kib.checked_mul(1024)
}

/// Smallest limit of the control groups (version 1 or 2) named in `/proc/self/cgroup` and of their ancestors. `root` is
/// the folder with their files; inside a container it may be the group itself, in which case the path does not exist
/// below it.
fn control_group(groups: &str, root: &Path) -> Option<u64> {
    let limits = groups.lines().flat_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (kinds, path) = (parts.next().unwrap_or(""), parts.next().unwrap_or("/"));
        let (folder, file) = match kinds {
            "" => (root.to_owned(), "memory.max"),
            kinds if kinds.split(',').any(|kind| kind == "memory") => {
                (root.join("memory"), "memory.limit_in_bytes")
            }
            _ => return Vec::new(),
        };
        let path = Path::new(path.trim_start_matches('/'));
        let groups = path.ancestors().map(|above| folder.join(above).join(file));
        groups.filter_map(|file| number(&file)).collect()
    });
    limits.min()
}

/// Number in a file; `None` for `max`.
fn number(file: &Path) -> Option<u64> {
    std::fs::read_to_string(file).ok()?.trim().parse().ok()
}

#[cfg(unix)]
fn address_space() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::As).current
}

#[cfg(not(unix))]
fn address_space() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_least_limit_binds() {
        let of = |total, group, space| {
            let all = [
                (Bound::MemTotal, total),
                (Bound::Cgroup, group),
                (Bound::AddressSpace, space),
            ];
            let limit = least(all);
            (limit.bytes, limit.bound)
        };
        assert_eq!(of(Some(8), None, None), (8, Bound::MemTotal));
        assert_eq!(of(Some(8), Some(4), Some(6)), (4, Bound::Cgroup));
        assert_eq!(of(Some(8), Some(4), Some(2)), (2, Bound::AddressSpace));
        assert_eq!(of(None, None, None), (ASSUMED, Bound::Unknown));
        let meminfo = "MemFree: 1 kB\nMemTotal:  16 kB\n";
        assert_eq!(bytes(meminfo, "MemTotal:"), Some(16 << 10));
    }

    #[test]
    fn control_groups_of_both_versions_are_read_with_those_above_them() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let of = |groups: &str| control_group(groups, root.path());
        assert_eq!(of("0::/user/job\n"), None);
        write("user/job/memory.max", "max\n");
        assert_eq!(of("0::/user/job\n"), None);
        write("user/memory.max", "3000\n");
        assert_eq!(of("0::/user/job\n"), Some(3000));
        write("user/job/memory.max", "2000\n");
        assert_eq!(of("0::/user/job\n"), Some(2000));
        // Inside a container the root is the container's own group.
        write("memory.max", "1000\n");
        assert_eq!(of("0::/elsewhere/outside\n"), Some(1000));
        write("memory/docker/memory.limit_in_bytes", "500\n");
        write("memory/memory.limit_in_bytes", "9223372036854771712\n");
        assert_eq!(of("4:cpu,cpuacct:/docker\n9:memory:/docker\n"), Some(500));
    }
}
