//! Corrects paths that were typed by hand, or glued to the punctuation of the text around a link.

use respiro_content::sanitize::strip_invisible;

/// Punctuation that follows a link in a sentence; no published path ends with it.
const SIGNS: &[char] = &[
    '.', ',', ';', ':', '!', '?', '…', ')', ']', '>', '"', '\'', '’', '”', '»', '*',
];
/// Names of the document that a folder stands for on other servers.
const INDEX_NAMES: &[&str] = &["index.html", "index.htm", "index.php"];
/// Addresses of the home page on other sites.
const HOME_NAMES: &[&str] = &["home", "home.html", "home.htm", "home.php"];

/// Returns the paths that a path may stand for, the least changed first. The caller checks which of
/// them exist.
pub fn corrections(path: &str) -> Vec<String> {
    if !path.starts_with('/') {
        return Vec::new();
    }
    let cleaned = cleaned(path);
    let small = cleaned.to_lowercase();
    let mut candidates = vec![cleaned];
    if candidates.first() != Some(&small) {
        candidates.push(small);
    }
    candidates.retain(|candidate| candidate != path);
    candidates
}

/// Returns the path without what no published path contains. It has one slash at the start, so as
/// a `Location` it never names another host.
fn cleaned(path: &str) -> String {
    let visible = strip_invisible(path);
    let is_stray = |c: char| c == '/' || c.is_whitespace() || SIGNS.contains(&c);
    let parts = visible.trim_end_matches(is_stray).split('/');
    let mut parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let is_named = |names: &[&str], part: &str| names.iter().any(|n| n.eq_ignore_ascii_case(part));
    if parts.last().is_some_and(|last| is_named(INDEX_NAMES, last)) {
        parts.pop();
    }
    if parts.len() == 1 && parts.iter().all(|part| is_named(HOME_NAMES, part)) {
        parts.clear();
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_correction_never_names_another_host_and_a_correct_path_has_none() {
        assert_eq!(corrections("//evil.test/"), ["/evil.test"]);
        assert_eq!(corrections("/\u{200b}/evil.test"), ["/evil.test"]);
        assert_eq!(corrections("/contatti"), Vec::<String>::new());
        assert_eq!(corrections("*"), Vec::<String>::new());
        assert_eq!(corrections("/Blog/Uno."), ["/Blog/Uno", "/blog/uno"]);
    }
}
