//! Short name of a browser and its system, parsed from `User-Agent`. The admin panel gets the same
//! tables (`ui/src/kinds/lazy-constants.gen.ts`).

pub const BROWSERS: [(&str, &str); 6] = [
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
];

pub const SYSTEMS: [(&str, &str); 6] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
];

pub const UNKNOWN: &str = "dispositivo sconosciuto";

/// Returns a name such as `Firefox su Windows`. It holds no text that the client sent, which could
/// be anything.
pub fn display_name(user_agent: &str) -> String {
    let name_of = |table: &[(&'static str, &'static str)]| {
        let known = table.iter().find(|(mark, _)| user_agent.contains(mark));
        known.map(|(_, name)| *name)
    };
    match (name_of(&BROWSERS), name_of(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} su {system}"),
        (Some(one), None) | (None, Some(one)) => one.to_owned(),
        (None, None) => UNKNOWN.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_told_in_two_words_and_nothing_it_sends_is_passed_on() {
        let firefox = "Mozilla/5.0 (Windows NT 10.0; rv:133.0) Gecko/20100101 Firefox/133.0";
        assert_eq!(display_name(firefox), "Firefox su Windows");
        let phone =
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604";
        assert_eq!(display_name(phone), "Safari su iPhone");
        assert_eq!(
            display_name("curl/8 http://evil.example"),
            "dispositivo sconosciuto"
        );
    }
}
