//! Counts the visits of the current day: salted hashes of visitors, dropped at midnight, and totals
//! that are not stored yet.

use crate::{ContactClick, MissingPaths, Visit, VisitKind, is_robot};
use jiff::civil::Date;
use respiro_db::{DayTotals, OTHERS};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv6Addr};

/// Distinct visitors of a day; further ones are not counted.
const VISITORS_MAX: usize = 50_000;
/// A visitor with more views in a day is a program, whatever its user agent says.
const VIEWS_PER_VISITOR_MAX: u16 = 500;
const CLICKS_PER_VISITOR_MAX: u16 = 30;
/// Limit of a network, because a client can send any number of user agents. High enough for a
/// school or a mobile operator.
const VISITORS_PER_NETWORK_MAX: u16 = 50;
const CLICKS_PER_NETWORK_MAX: u16 = 60;
/// Addresses that are not there; one network that seeks more of them is a program.
const MISSING_PER_NETWORK_MAX: u16 = 20;
/// Rows of each table until the next write; further names are added up in `OTHERS`.
const ROWS_MAX: usize = 1_000;
/// Days that are kept while the disk is full; then the oldest is dropped.
const DAYS_MAX: usize = 3;

/// Totals that are not stored yet, by day.
pub type PendingTotals = BTreeMap<Date, DayTotals>;

#[derive(Debug, Default)]
pub(super) struct DayCounter {
    today: Option<Today>,
    pending: PendingTotals,
    missing: MissingPaths,
}

/// The current day in Italy; only in memory, until midnight.
#[derive(Debug)]
struct Today {
    date: Date,
    /// Salt of all hashes, dropped with the day: no hash can be traced to a visitor afterwards.
    salt: [u8; 32],
    visitors: HashMap<u64, VisitorActivity>,
    /// By hash of the network. Never more than `VISITORS_MAX`.
    networks: HashMap<u64, NetworkActivity>,
}

/// Counts of one network today.
#[derive(Debug, Default)]
struct NetworkActivity {
    visitors: u16,
    presses: u16,
    missing: u16,
}

/// Counts of one visitor today.
#[derive(Debug, Default)]
struct VisitorActivity {
    views: u16,
    presses: u16,
}

impl DayCounter {
    /// Drops the visitors of an earlier day.
    pub(super) fn start_day(&mut self, date: Date) {
        if self.today.as_ref().is_some_and(|today| today.date == date) {
            return;
        }
        let mut salt = [0; 32];
        // Without a random salt nothing is counted.
        let is_random = getrandom::fill(&mut salt).is_ok();
        self.today = is_random.then(|| Today {
            date,
            salt,
            visitors: HashMap::new(),
            networks: HashMap::new(),
        });
    }

    pub(super) fn forget_visitors(&mut self) {
        self.today = None;
    }

    pub(super) fn add(&mut self, visit: &Visit) {
        let Some(today) = &mut self.today else { return };
        if is_robot(&visit.agent) {
            return;
        }
        let Some(is_new) = today.register(visit) else {
            return;
        };
        let totals = self.pending.entry(today.date).or_default();
        totals.visitors += u64::from(is_new);
        match &visit.kind {
            VisitKind::View { source } => {
                totals.views += 1;
                *row_or_others(&mut totals.pages, &visit.path) += 1;
                if let Some(source) = source {
                    *row_or_others(&mut totals.sources, source) += 1;
                }
            }
            VisitKind::Click(click) => {
                row_or_others(&mut totals.presses, &visit.path)[contact_index(*click)] += 1;
            }
        }
        self.drop_oldest();
    }

    /// Counts an address that is not there. The visitor counts only with a page.
    pub(super) fn add_missing(&mut self, visit: &Visit) {
        let Some(today) = &mut self.today else { return };
        let is_view = matches!(visit.kind, VisitKind::View { .. });
        if is_view && !is_robot(&visit.agent) && today.may_seek(visit) {
            self.missing.add(&visit.path, today.date);
        }
    }

    pub(super) fn take_missing(&mut self) -> MissingPaths {
        std::mem::take(&mut self.missing)
    }

    pub(super) fn restore_missing(&mut self, missing: MissingPaths) {
        let newer = std::mem::replace(&mut self.missing, missing);
        if let Some(today) = &self.today {
            self.missing.merge(&newer, today.date);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pending.is_empty() && self.missing.is_empty()
    }

    pub(super) fn take_totals(&mut self) -> PendingTotals {
        std::mem::take(&mut self.pending)
    }

    pub(super) fn restore_totals(&mut self, pending: PendingTotals) {
        for (date, mut totals) in pending {
            totals.bound();
            self.pending.entry(date).or_default().add(&totals);
        }
        self.drop_oldest();
    }

    fn drop_oldest(&mut self) {
        while self.pending.len() > DAYS_MAX {
            self.pending.pop_first();
        }
    }
}

impl Today {
    /// Returns whether the visitor is new today; `None` when a limit is reached.
    fn register(&mut self, visit: &Visit) -> Option<bool> {
        let (network, code) = self.hashes(visit);
        let is_new = !self.visitors.contains_key(&code);
        if is_new && self.visitors.len() >= VISITORS_MAX {
            return None;
        }
        if !self.networks.contains_key(&network) && self.networks.len() >= VISITORS_MAX {
            return None;
        }
        let network = self.networks.entry(network).or_default();
        if is_new && network.visitors >= VISITORS_PER_NETWORK_MAX {
            return None;
        }
        let visitor = self.visitors.entry(code).or_default();
        network.visitors += u16::from(is_new);
        match visit.kind {
            VisitKind::View { .. } if visitor.views < VIEWS_PER_VISITOR_MAX => visitor.views += 1,
            VisitKind::Click(_)
                if visitor.presses < CLICKS_PER_VISITOR_MAX
                    && network.presses < CLICKS_PER_NETWORK_MAX =>
            {
                visitor.presses += 1;
                network.presses += 1;
            }
            _ => return None,
        }
        Some(is_new)
    }

    /// Returns whether the network of a visit may count another address that is not there.
    fn may_seek(&mut self, visit: &Visit) -> bool {
        let (network, _) = self.hashes(visit);
        if !self.networks.contains_key(&network) && self.networks.len() >= VISITORS_MAX {
            return false;
        }
        let network = self.networks.entry(network).or_default();
        network.missing = network.missing.saturating_add(1);
        network.missing <= MISSING_PER_NETWORK_MAX
    }

    /// Hashes of the network, and of the browser in it.
    fn hashes(&self, visit: &Visit) -> (u64, u64) {
        let network = network(visit.address).octets();
        let browser = self.hash(&[&network, visit.agent.as_bytes()]);
        (self.hash(&[&network]), browser)
    }

    fn hash(&self, parts: &[&[u8]]) -> u64 {
        let mut hash = Sha256::new();
        hash.update(self.salt);
        for part in parts {
            hash.update(part);
        }
        let hash: [u8; 32] = hash.finalize().into();
        hash.iter()
            .take(8)
            .fold(0, |code, byte| code << 8 | u64::from(*byte))
    }
}

/// The /64 of an IPv6 address: one household or server owns it.
fn network(address: IpAddr) -> Ipv6Addr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_ipv6_mapped(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64),
    }
}

fn contact_index(click: ContactClick) -> usize {
    match click {
        ContactClick::Phone => 0,
        ContactClick::Email => 1,
        ContactClick::Message => 2,
    }
}

fn row_or_others<'a, T: Default>(rows: &'a mut BTreeMap<String, T>, name: &str) -> &'a mut T {
    let name = if rows.len() < ROWS_MAX || rows.contains_key(name) {
        name
    } else {
        OTHERS
    };
    rows.entry(name.to_owned()).or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MONDAY: Date = Date::constant(2026, 11, 23);
    const TUESDAY: Date = Date::constant(2026, 11, 24);

    fn view(address: &str, path: &str) -> Visit {
        Visit {
            kind: VisitKind::View {
                source: Some("search.example".into()),
            },
            path: path.into(),
            address: address.parse().unwrap(),
            agent: "Mozilla/5.0 (X11)".into(),
        }
    }

    #[test]
    fn a_visitor_counts_once_a_day_and_nobody_is_known_the_day_after() {
        let mut counter = DayCounter::default();
        counter.start_day(MONDAY);
        for path in ["/", "/eventi", "/"] {
            counter.add(&view("9.9.9.9", path));
        }
        counter.add(&view("2001:db8::1", "/"));
        counter.add(&view("2001:db8::2", "/"));
        let monday = counter.today.as_ref().unwrap();
        let codes = monday.hashes(&view("9.9.9.9", "/"));
        counter.start_day(TUESDAY);
        let tuesday = counter.today.as_ref().unwrap();
        assert!(tuesday.visitors.is_empty(), "codes outlived their day");
        assert!(tuesday.networks.is_empty(), "networks outlived their day");
        let anew = tuesday.hashes(&view("9.9.9.9", "/"));
        assert_ne!(anew.0, codes.0, "the salt outlived its day");
        assert_ne!(anew.1, codes.1, "the salt outlived its day");
        counter.add(&view("9.9.9.9", "/"));
        let pending = counter.take_totals();
        let (monday, tuesday) = (&pending[&MONDAY], &pending[&TUESDAY]);
        assert_eq!((monday.views, monday.visitors), (5, 2));
        assert_eq!(monday.pages["/"], 4);
        assert_eq!(monday.sources["search.example"], 5);
        assert_eq!((tuesday.views, tuesday.visitors), (1, 1));
        assert!(counter.take_totals().is_empty());
    }

    #[test]
    fn nobody_can_fill_the_tables_or_press_without_end() {
        let mut counter = DayCounter::default();
        counter.start_day(MONDAY);
        for number in 0..2_000 {
            let mut visit = view("9.9.9.9", &format!("/evento/{number}"));
            visit.address = IpAddr::from(std::net::Ipv4Addr::from_bits(number));
            counter.add(&visit);
            visit.address = "9.9.9.9".parse().unwrap();
            visit.kind = VisitKind::Click(ContactClick::Email);
            counter.add(&visit);
        }
        let day = &counter.take_totals()[&MONDAY];
        assert_eq!(day.pages.len(), ROWS_MAX + 1);
        assert_eq!(day.pages.values().sum::<u64>(), 2_000);
        assert_eq!(day.pressed(), [0, u64::from(CLICKS_PER_VISITOR_MAX), 0]);
    }

    /// Regression: a client with 50,000 user agents filled the day's table, and no other visitor
    /// was counted.
    #[test]
    fn who_calls_itself_many_things_is_not_many() {
        let mut counter = DayCounter::default();
        counter.start_day(MONDAY);
        for number in 0..1_000 {
            let mut visit = view("9.9.9.9", "/");
            visit.agent = format!("Mozilla/5.0 (X{number})").into();
            counter.add(&visit);
            visit.kind = VisitKind::Click(ContactClick::Phone);
            counter.add(&visit);
            visit.address = "9.9.9.8".parse().unwrap();
            visit.agent = "Mozilla/5.0 (X11)".into();
            counter.add(&visit);
        }
        assert_eq!(counter.today.as_ref().unwrap().networks.len(), 2);
        let day = &counter.take_totals()[&MONDAY];
        assert_eq!((day.visitors, day.views), (51, 50));
        let pressed = u64::from(50 + CLICKS_PER_VISITOR_MAX);
        assert_eq!(day.pressed(), [pressed, 0, 0]);
        // Fifty visitors of one network exceed its limit of clicks together.
        for number in 0..100 {
            let mut visit = view("9.9.9.9", "/");
            visit.agent = format!("Mozilla/5.0 (X{})", number % 50).into();
            visit.kind = VisitKind::Click(ContactClick::Phone);
            counter.add(&visit);
        }
        let day = &counter.take_totals()[&MONDAY];
        assert_eq!(day.pressed(), [10, 0, 0]);
    }

    #[test]
    fn an_address_that_is_not_there_counts_neither_view_nor_visitor_and_a_few_times_a_network() {
        let mut counter = DayCounter::default();
        counter.start_day(MONDAY);
        for number in 0..100 {
            counter.add_missing(&view("9.9.9.9", &format!("/vecchia-{number}")));
        }
        let mut robot = view("9.9.9.8", "/robot");
        robot.agent = "curl/8".into();
        counter.add_missing(&robot);
        counter.add_missing(&view("9.9.9.8", "/vecchia-0"));
        assert!(counter.take_totals().is_empty());
        let missing = counter.take_missing();
        let ranked = missing.ranked();
        assert_eq!(ranked.len(), usize::from(MISSING_PER_NETWORK_MAX));
        assert_eq!((ranked[0].0, ranked[0].1.count), ("/vecchia-0", 2));
        counter.add_missing(&view("9.9.9.8", "/vecchia-0"));
        counter.restore_missing(missing);
        assert_eq!(counter.take_missing().ranked()[0].1.count, 3);
        assert!(counter.is_empty());
    }

    #[test]
    fn what_could_not_be_written_is_kept_for_a_few_days() {
        let mut counter = DayCounter::default();
        for day in 1..=5 {
            counter.start_day(Date::constant(2026, 11, day));
            counter.add(&view("9.9.9.9", "/"));
            let pending = counter.take_totals();
            counter.restore_totals(pending);
        }
        let pending = counter.take_totals();
        assert_eq!(pending.len(), DAYS_MAX);
        assert!(pending.values().all(|day| day.views == 1));
    }
}
