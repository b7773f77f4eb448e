//! Table of the open connections: limits by address and in all, and which connection gives way to a
//! new one. Knows nothing of HTTP or TLS.

use ipnet::IpNet;
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Bounds of the table.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Connections of one address without a finished TLS handshake.
    pub handshakes_per_address: usize,
    pub per_address: usize,
    pub total: usize,
    /// Requests in flight: one connection of HTTP/2 has many.
    pub requests_per_address: u32,
    pub requests_total: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            handshakes_per_address: 64,
            per_address: 256,
            total: 8_192,
            requests_per_address: 1_024,
            requests_total: 8_192,
        }
    }
}

/// Idle connections that one scan of a full table selects, so that a flood does not pay a scan for
/// each connection.
const VICTIMS_PER_SCAN: usize = 64;
/// Private addresses whose requests are counted.
const PRIVATE_ADDRESSES_MAX: usize = 64;
/// Requests after which the share of one private address says something.
const REQUESTS_MIN: u64 = 100;

/// Whether a connection begins with a TLS handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    Plain,
    Tls,
}

#[derive(Debug)]
pub struct ConnectionTable {
    limits: Limits,
    total_max: AtomicUsize,
    /// A trusted proxy carries many visitors, so its address has no limit of its own.
    trusted: Vec<IpNet>,
    rows: Mutex<Rows>,
    /// Orders the moments at which connections became idle.
    sequence: AtomicU64,
    requests: AtomicU64,
    requests_in_flight: AtomicU32,
    evicted: AtomicU64,
    refused: AtomicU64,
}

#[derive(Debug, Default)]
struct Rows {
    next_id: u64,
    connections: HashMap<u64, Arc<Connection>>,
    /// Without those of trusted proxies. Each has a connection.
    by_network: HashMap<IpNet, Network>,
    /// Longest idle first, as of the last scan.
    victims: VecDeque<(u64, Arc<Connection>)>,
    private: HashMap<IpAddr, Arc<AtomicU64>>,
}

#[derive(Debug, Default)]
struct Network {
    connections: Vec<Arc<Connection>>,
    requests_in_flight: Arc<AtomicU32>,
}

#[derive(Debug)]
struct Connection {
    id: u64,
    network: Option<IpNet>,
    /// Number of the moment at which it became idle; meaningless while requests are in flight.
    idle_since: AtomicU64,
    requests_in_flight: AtomicU32,
    /// Of all connections of its network.
    network_requests: Option<Arc<AtomicU32>>,
    has_handshake: AtomicBool,
    evicted: Notify,
    /// Requests of the private address that it comes from.
    private_requests: Option<Arc<AtomicU64>>,
}

impl Connection {
    fn is_idle(&self) -> bool {
        self.requests_in_flight.load(Ordering::Acquire) == 0
    }

    fn idle_since(&self) -> u64 {
        self.idle_since.load(Ordering::Acquire)
    }

    /// Returns the counts of requests in flight that one of its requests belongs to.
    fn counts<'a>(&'a self, table: &'a ConnectionTable) -> impl Iterator<Item = &'a AtomicU32> {
        let own = [&self.requests_in_flight, &table.requests_in_flight];
        own.into_iter().chain(self.network_requests.as_deref())
    }
}

/// The place of one connection; dropping it frees the place.
#[derive(Debug)]
pub struct Slot {
    table: Arc<ConnectionTable>,
    connection: Arc<Connection>,
}

/// Marks its connection as busy until it is dropped.
#[derive(Debug)]
pub struct RequestInFlight {
    table: Arc<ConnectionTable>,
    connection: Arc<Connection>,
}

impl ConnectionTable {
    pub fn new(limits: Limits, trusted: Vec<IpNet>) -> Self {
        Self {
            total_max: AtomicUsize::new(limits.total),
            limits,
            trusted,
            rows: Mutex::default(),
            sequence: AtomicU64::new(0),
            requests: AtomicU64::new(0),
            requests_in_flight: AtomicU32::new(0),
            evicted: AtomicU64::new(0),
            refused: AtomicU64::new(0),
        }
    }

    /// Lowers the total to what the open files of the process allow.
    pub fn lower_total(&self, total: usize) {
        let total = total.min(self.limits.total);
        self.total_max.store(total, Ordering::Relaxed);
    }

    /// Gives a new connection its place. At a limit the longest idle connection is evicted, one of
    /// the same address first; `None` if none is idle.
    pub fn admit(self: &Arc<Self>, peer: Option<IpAddr>, transport: Transport) -> Option<Slot> {
        let peer = peer.map(|peer| peer.to_canonical());
        let untrusted = peer.filter(|peer| !self.trusted.iter().any(|range| range.contains(peer)));
        let network = untrusted.map(network_of);
        let mut rows = self.rows();
        if !self.make_room(&mut rows, network, transport) {
            self.refused.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        rows.next_id += 1;
        let network_requests = network.map(|network| {
            let own = rows.by_network.entry(network).or_default();
            Arc::clone(&own.requests_in_flight)
        });
        let connection = Arc::new(Connection {
            id: rows.next_id,
            network,
            idle_since: AtomicU64::new(self.next_moment()),
            requests_in_flight: AtomicU32::new(0),
            network_requests,
            has_handshake: AtomicBool::new(transport == Transport::Tls),
            evicted: Notify::new(),
            private_requests: untrusted.and_then(|peer| rows.private_counter(peer)),
        });
        rows.connections
            .insert(connection.id, Arc::clone(&connection));
        if let Some(network) = network {
            let own = rows.by_network.entry(network).or_default();
            own.connections.push(Arc::clone(&connection));
        }
        Some(Slot {
            table: Arc::clone(self),
            connection,
        })
    }

    /// Returns whether there is room for one more connection, after an eviction where needed.
    fn make_room(&self, rows: &mut Rows, network: Option<IpNet>, transport: Transport) -> bool {
        let own = network.and_then(|network| rows.by_network.get(&network));
        if let Some(Network {
            connections: own, ..
        }) = own
        {
            let in_handshake =
                |connection: &&Arc<Connection>| connection.has_handshake.load(Ordering::Acquire);
            let handshakes = own.iter().filter(in_handshake).count();
            let victim = if transport == Transport::Tls
                && handshakes >= self.limits.handshakes_per_address
            {
                Some(longest_idle(own.iter().filter(in_handshake)))
            } else if own.len() >= self.limits.per_address {
                Some(longest_idle(own.iter()))
            } else {
                None
            };
            match victim {
                Some(Some(victim)) => self.evict(rows, &victim),
                Some(None) => return false,
                None => {}
            }
        }
        if rows.connections.len() < self.total_max.load(Ordering::Relaxed) {
            return true;
        }
        let Some(victim) = rows.next_victim() else {
            return false;
        };
        self.evict(rows, &victim);
        true
    }

    fn evict(&self, rows: &mut Rows, victim: &Connection) {
        rows.remove(victim);
        victim.evicted.notify_one();
        self.evicted.fetch_add(1, Ordering::Relaxed);
    }

    fn next_moment(&self) -> u64 {
        self.sequence.fetch_add(1, Ordering::Relaxed)
    }

    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of open connections.
    pub fn open(&self) -> usize {
        self.rows().connections.len()
    }

    /// Returns how many connections were closed for another one since the start.
    pub fn evicted(&self) -> u64 {
        self.evicted.load(Ordering::Relaxed)
    }

    /// Returns how many connections were refused since the start.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Returns the private address that most requests came from although it is no trusted proxy:
    /// a proxy whose visitors share the limits of one address.
    pub fn likely_proxy(&self) -> Option<IpAddr> {
        let requests = self.requests.load(Ordering::Relaxed);
        let rows = self.rows();
        let (address, count) = rows
            .private
            .iter()
            .map(|(address, count)| (*address, count.load(Ordering::Relaxed)))
            .max_by_key(|(_, count)| *count)?;
        (requests >= REQUESTS_MIN && count > requests / 2).then_some(address)
    }
}

impl Rows {
    fn remove(&mut self, connection: &Connection) {
        if self.connections.remove(&connection.id).is_none() {
            return;
        }
        let Some(network) = connection.network else {
            return;
        };
        if let Some(own) = self.by_network.get_mut(&network) {
            own.connections.retain(|other| other.id != connection.id);
            if own.connections.is_empty() {
                self.by_network.remove(&network);
            }
        }
    }

    /// Returns the longest idle connection of all.
    fn next_victim(&mut self) -> Option<Arc<Connection>> {
        for is_scanned in [false, true] {
            if is_scanned {
                self.victims = longest_idle_first(self.connections.values());
            }
            while let Some((since, connection)) = self.victims.pop_front() {
                let is_unchanged = connection.is_idle() && connection.idle_since() == since;
                if is_unchanged && self.connections.contains_key(&connection.id) {
                    return Some(connection);
                }
            }
        }
        None
    }

    fn private_counter(&mut self, peer: IpAddr) -> Option<Arc<AtomicU64>> {
        let has_room = self.private.len() < PRIVATE_ADDRESSES_MAX;
        if !is_private(peer) || !(has_room || self.private.contains_key(&peer)) {
            return None;
        }
        Some(Arc::clone(self.private.entry(peer).or_default()))
    }
}

impl Slot {
    pub fn finish_handshake(&self) {
        let moment = self.table.next_moment();
        self.connection.idle_since.store(moment, Ordering::Release);
        self.connection
            .has_handshake
            .store(false, Ordering::Release);
    }

    /// Marks the connection as busy while the result lives; `None` when its address or all
    /// together have too many requests in flight.
    pub fn begin_request(&self) -> Option<RequestInFlight> {
        let Self { table, connection } = self;
        let limits = &table.limits;
        let own = connection.network_requests.as_ref();
        let is_full = |count: &AtomicU32, max| count.load(Ordering::Relaxed) >= max;
        if is_full(&table.requests_in_flight, limits.requests_total)
            || own.is_some_and(|own| is_full(own, limits.requests_per_address))
        {
            return None;
        }
        for count in connection.counts(table) {
            count.fetch_add(1, Ordering::AcqRel);
        }
        table.requests.fetch_add(1, Ordering::Relaxed);
        if let Some(count) = &connection.private_requests {
            count.fetch_add(1, Ordering::Relaxed);
        }
        Some(RequestInFlight {
            table: Arc::clone(table),
            connection: Arc::clone(connection),
        })
    }

    /// Returns whether no request is in flight.
    pub fn is_idle(&self) -> bool {
        self.connection.is_idle()
    }

    /// Completes when the connection has to give way to another one.
    pub async fn evicted(&self) {
        self.connection.evicted.notified().await;
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.table.rows().remove(&self.connection);
    }
}

impl Drop for RequestInFlight {
    fn drop(&mut self) {
        // The moment is stored first: a connection that counts as idle has its newest one.
        let moment = self.table.next_moment();
        self.connection.idle_since.store(moment, Ordering::Release);
        for count in self.connection.counts(&self.table) {
            count.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

fn longest_idle<'a>(
    connections: impl Iterator<Item = &'a Arc<Connection>>,
) -> Option<Arc<Connection>> {
    let idle = connections.filter(|connection| connection.is_idle());
    idle.min_by_key(|connection| connection.idle_since())
        .cloned()
}

fn longest_idle_first<'a>(
    connections: impl Iterator<Item = &'a Arc<Connection>>,
) -> VecDeque<(u64, Arc<Connection>)> {
    let idle = connections.filter(|connection| connection.is_idle());
    let mut idle: Vec<_> = idle
        .map(|connection| (connection.idle_since(), connection))
        .collect();
    let count = idle.len().min(VICTIMS_PER_SCAN);
    if count < idle.len() {
        idle.select_nth_unstable_by_key(count, |(since, _)| *since);
    }
    idle.truncate(count);
    idle.sort_unstable_by_key(|(since, _)| *since);
    idle.into_iter()
        .map(|(since, connection)| (since, Arc::clone(connection)))
        .collect()
}

/// Returns what limits count as one address: an IPv4 address, or the /64 that one household has.
fn network_of(address: IpAddr) -> IpNet {
    let bits = if address.is_ipv4() { 32 } else { 64 };
    IpNet::new(address, bits).map_or_else(|_| address.into(), |network| network.trunc())
}

/// Returns whether an address is reachable only from the same machine or network.
fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let [first, second, ..] = address.octets();
            let is_shared = first == 100 && (64..128).contains(&second);
            address.is_private() || address.is_loopback() || address.is_link_local() || is_shared
        }
        IpAddr::V6(address) => {
            address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;

    const LIMITS: Limits = Limits {
        handshakes_per_address: 2,
        per_address: 4,
        total: 10,
        requests_per_address: 200,
        requests_total: 300,
    };

    fn table() -> Arc<ConnectionTable> {
        let trusted = vec!["10.0.0.0/8".parse().unwrap()];
        Arc::new(ConnectionTable::new(LIMITS, trusted))
    }

    fn admit(table: &Arc<ConnectionTable>, peer: &str, transport: Transport) -> Option<Slot> {
        table.admit(Some(peer.parse().unwrap()), transport)
    }

    fn plain(table: &Arc<ConnectionTable>, peer: &str) -> Option<Slot> {
        admit(table, peer, Transport::Plain)
    }

    fn is_evicted(slot: &Slot) -> bool {
        slot.evicted().now_or_never().is_some()
    }

    #[test]
    fn an_address_at_its_limit_gives_up_its_own_longest_idle_connection() {
        let table = table();
        let other = plain(&table, "8.8.8.8").unwrap();
        let own: Vec<Slot> = (0..4).map(|_| plain(&table, "9.9.9.9").unwrap()).collect();
        let busy = own[0].begin_request().unwrap();
        drop(own[1].begin_request());
        assert!(plain(&table, "9.9.9.9").is_some());
        let evicted: Vec<bool> = own.iter().map(is_evicted).collect();
        assert_eq!(evicted, [false, false, true, false]);
        assert!(!is_evicted(&other));
        drop(busy);
        assert_eq!((table.evicted(), table.refused()), (1, 0));
    }

    #[test]
    fn an_address_is_refused_only_when_none_of_its_connections_is_idle() {
        let table = table();
        let own: Vec<Slot> = (0..4).map(|_| plain(&table, "9.9.9.9").unwrap()).collect();
        let mut busy: Vec<_> = own.iter().filter_map(Slot::begin_request).collect();
        assert!(plain(&table, "9.9.9.9").is_none());
        assert!(plain(&table, "8.8.8.8").is_some());
        assert_eq!(table.refused(), 1);
        busy.remove(3);
        assert!(plain(&table, "9.9.9.9").is_some());
        assert!(is_evicted(&own[3]));
    }

    #[test]
    fn unfinished_handshakes_have_a_limit_of_their_own() {
        let table = table();
        let tls = |peer| admit(&table, peer, Transport::Tls).unwrap();
        let finished = tls("9.9.9.9");
        finished.finish_handshake();
        let silent = [tls("9.9.9.9"), tls("9.9.9.9")];
        let next = tls("9.9.9.9");
        assert_eq!(silent.each_ref().map(is_evicted), [true, false]);
        assert!(!is_evicted(&finished) && !is_evicted(&next));
        next.finish_handshake();
        let _another = tls("9.9.9.9");
        assert!(!is_evicted(&silent[1]));
    }

    #[test]
    fn a_full_table_closes_the_longest_idle_connection_of_all() {
        let table = table();
        let peers = ["1.1.1.1", "2.2.2.2", "3.3.3.3", "4.4.4.4", "5.5.5.5"];
        let all: Vec<Slot> = [peers, peers]
            .concat()
            .into_iter()
            .map(|peer| plain(&table, peer).unwrap())
            .collect();
        let _busy = all[0].begin_request().unwrap();
        let newcomers: Vec<Slot> = (6..9)
            .map(|n| plain(&table, &format!("{n}.1.1.1")).unwrap())
            .collect();
        let evicted: Vec<usize> = (0..10).filter(|n| is_evicted(&all[*n])).collect();
        assert_eq!(evicted, [1, 2, 3]);
        // A connection that was used since the scan is not the longest idle one any more.
        drop(all[4].begin_request());
        let last = plain(&table, "9.1.1.1").unwrap();
        assert!(!is_evicted(&all[4]) && is_evicted(&all[5]));
        assert_eq!(table.open(), 10);
        let mut busy: Vec<_> = all.iter().filter_map(Slot::begin_request).collect();
        busy.extend(newcomers.iter().filter_map(Slot::begin_request));
        busy.push(last.begin_request().unwrap());
        assert!(plain(&table, "7.7.7.7").is_none());
    }

    #[test]
    fn a_trusted_proxy_has_no_limit_of_its_own_and_counts_in_all() {
        let table = table();
        let all: Vec<Slot> = (0..10)
            .map(|_| admit(&table, "10.1.2.3", Transport::Tls).unwrap())
            .collect();
        assert!(!all.iter().any(is_evicted));
        let _newcomer = plain(&table, "9.9.9.9").unwrap();
        assert!(is_evicted(&all[0]));
    }

    #[test]
    fn requests_in_flight_are_limited_by_address_and_in_all() {
        let table = table();
        let [own, twin] = [(); 2].map(|()| plain(&table, "9.9.9.9").unwrap());
        let proxy = plain(&table, "10.1.2.3").unwrap();
        let mut busy: Vec<_> = (0..200).map_while(|_| own.begin_request()).collect();
        assert_eq!(busy.len(), 200);
        assert!(own.begin_request().is_none() && twin.begin_request().is_none());
        let of_proxy: Vec<_> = (0..300).map_while(|_| proxy.begin_request()).collect();
        assert_eq!(of_proxy.len(), 100);
        busy.pop();
        assert!(twin.begin_request().is_some());
        drop((busy, of_proxy));
        assert!(own.is_idle() && own.begin_request().is_some());
    }

    #[test]
    fn the_addresses_of_one_ipv6_network_share_its_limit() {
        let table = table();
        let own: Vec<Slot> = (0..4)
            .map(|n| plain(&table, &format!("2001:db8:1:2::{n}")).unwrap())
            .collect();
        let _next = plain(&table, "2001:db8:1:2:ffff::1").unwrap();
        assert!(is_evicted(&own[0]));
        let _mapped = plain(&table, "::ffff:9.9.9.9").unwrap();
        let _other = plain(&table, "2001:db8:1:3::1").unwrap();
        assert!(!is_evicted(&own[1]));
        assert_eq!(table.rows().by_network.len(), 3);
    }

    #[test]
    fn a_closed_connection_frees_its_place_once() {
        let table = table();
        let mut own: Vec<Slot> = (0..4).map(|_| plain(&table, "9.9.9.9").unwrap()).collect();
        let next = plain(&table, "9.9.9.9").unwrap();
        // The evicted one leaves later; its place is another's by then.
        own.remove(0);
        assert_eq!(table.open(), 4);
        own.clear();
        drop(next);
        assert_eq!(table.open(), 0);
        assert!(table.rows().by_network.is_empty());
    }

    #[test]
    fn only_an_untrusted_private_address_of_most_requests_looks_like_a_proxy() {
        let ask = |peers: &[(&str, u64)]| {
            let table = table();
            for (peer, requests) in peers {
                let slot = plain(&table, peer).unwrap();
                for _ in 0..*requests {
                    drop(slot.begin_request());
                }
            }
            table.likely_proxy().map(|address| address.to_string())
        };
        let proxy = Some("172.17.0.1".to_owned());
        assert_eq!(ask(&[("172.17.0.1", 60), ("9.9.9.9", 50)]), proxy);
        assert_eq!(ask(&[("172.17.0.1", 50), ("9.9.9.9", 60)]), None);
        assert_eq!(ask(&[("172.17.0.1", 60)]), None);
        assert_eq!(ask(&[("9.9.9.9", 200)]), None);
        assert_eq!(ask(&[("10.0.0.1", 200)]), None);
        assert_eq!(ask(&[("::1", 200)]), Some("::1".to_owned()));
    }
}
