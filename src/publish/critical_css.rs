//! Selects the rules of the style sheet that a page needs before the sheet is loaded.

use super::compress;
use super::{Error, Result};
use std::collections::HashSet;

const CLASS: &str = " class=\"";

/// The rules of a style sheet in its order.
#[derive(Debug, Default)]
pub(super) struct StyleSheet(Vec<Rule>);

/// A rule of the sheet.
#[derive(Debug, serde::Deserialize)]
struct Rule {
    /// The whole rule, or for a nested one the text before the braces.
    text: String,
    /// The class names in each selector; `None` if the rule styles no elements.
    #[serde(default)]
    needs: Option<Vec<Vec<String>>>,
    #[serde(default)]
    within: Option<Vec<Rule>>,
}

impl StyleSheet {
    /// Parses the output of `ui/style-rules.ts`.
    pub(super) fn from_gzip(rules: &[u8]) -> Result<Self> {
        let broken = |error: String| {
            Error::Internal(format!("the UI inside the program is broken: {error}"))
        };
        let json = compress::unpacked(rules).map_err(|error| broken(error.to_string()))?;
        let rules = serde_json::from_slice(&json).map_err(|error| broken(error.to_string()))?;
        Ok(Self(rules))
    }

    /// Returns all rules that can match an element of this markup, in the sheet's order. With them
    /// the page looks as with the whole sheet; scripts load the sheet for elements they add.
    pub(super) fn used_in(&self, html: &str) -> String {
        let classes = classes(html);
        let mut used = String::new();
        gather(&self.0, &classes, &mut used);
        used
    }
}

/// Returns the class names in rendered markup. Text cannot match, because its quotes are escaped.
fn classes(html: &str) -> HashSet<&str> {
    html.split(CLASS)
        .skip(1)
        .filter_map(|rest| rest.split_once('"'))
        .flat_map(|(names, _)| names.split_ascii_whitespace())
        .collect()
}

fn gather(rules: &[Rule], classes: &HashSet<&str>, used: &mut String) {
    for rule in rules {
        if let Some(within) = &rule.within {
            let start = used.len();
            used.push_str(&rule.text);
            used.push('{');
            let empty = used.len();
            gather(within, classes, used);
            if used.len() == empty {
                used.truncate(start);
            } else {
                used.push('}');
            }
        } else if rule.can_match(classes) {
            used.push_str(&rule.text);
        }
    }
}

impl Rule {
    fn can_match(&self, classes: &HashSet<&str>) -> bool {
        let has = |name: &String| classes.contains(name.as_str());
        self.needs
            .as_ref()
            .is_none_or(|selectors| selectors.iter().any(|names| names.iter().all(has)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> StyleSheet {
        let rules = serde_json::json!([
            { "text": "p{a:b}", "needs": [[]] },
            { "text": ".A0 .A1,.B0{a:b}", "needs": [["A0", "A1"], ["B0"]] },
            { "text": "@media print", "within": [
                { "text": ".A0{a:b}", "needs": [["A0"]] },
                { "text": "@supports (a:b)", "within": [{ "text": ".C0{a:b}", "needs": [["C0"]] }] },
            ] },
            { "text": "@font-face{a:b}" },
        ]);
        StyleSheet(serde_json::from_value(rules).unwrap())
    }

    #[test]
    fn a_page_gets_the_rules_that_can_match_in_it() {
        let always = "p{a:b}";
        let face = "@font-face{a:b}";
        for (html, expected) in [
            ("<p>", ""),
            ("<p class=\"A1\">", ""),
            ("<p class=\"A00\">A0 class=&quot;B0&quot;", ""),
            ("<p class=\"x A0\">", "@media print{.A0{a:b}}"),
            (
                "<p class=\"A0\"><i class=\"A1 C0\">",
                ".A0 .A1,.B0{a:b}@media print{.A0{a:b}@supports (a:b){.C0{a:b}}}",
            ),
            ("<p id=\"a\" class=\"B0\">", ".A0 .A1,.B0{a:b}"),
        ] {
            let used = sheet().used_in(html);
            assert_eq!(used, format!("{always}{expected}{face}"), "{html}");
        }
    }
}
