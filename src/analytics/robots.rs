//! Detects programs by their user agent.

/// Lower-case substrings of the user agents of programs; no browser sends them.
const ROBOT_WORDS: &[&str] = &[
    "bot",
    "crawl",
    "spider",
    "slurp",
    "archiver",
    "fetch",
    "scan",
    "monitor",
    "uptime",
    "pingdom",
    "check",
    "preview",
    "headless",
    "phantom",
    "lighthouse",
    "pagespeed",
    "gtmetrix",
    "validator",
    "python",
    "curl",
    "wget",
    "httpclient",
    "http-client",
    "okhttp",
    "go-http",
    "java/",
    "libwww",
    "perl",
    "ruby",
    "php",
    "node",
    "axios",
    "scrapy",
    "selenium",
    "playwright",
    "puppeteer",
    "facebookexternalhit",
    "whatsapp",
    "skypeuripreview",
    "embedly",
    "quora",
    "mediapartners",
    "adsbot",
    "feed",
    "rss",
    "reader/",
    "gptbot",
    "claude",
    "openai",
    "perplexity",
    "bytespider",
    "petal",
    "ahrefs",
    "semrush",
    "dataprovider",
    "nutch",
    "search",
    "http:",
    "https:",
    "@",
];

/// Browsers that contain one of the substrings: a phone maker, and one that writes its version
/// after an `@`.
const BROWSERS: &[&str] = &["cubot", "ecosia android@", "ecosia ios@"];

/// Whether the user agent is a program's. Every browser sends "Mozilla" or "Opera".
pub fn is_robot(agent: &str) -> bool {
    let mut agent = agent.to_ascii_lowercase();
    for known in BROWSERS {
        agent = agent.replace(known, "");
    }
    !agent.starts_with("mozilla/") && !agent.starts_with("opera/")
        || ROBOT_WORDS.iter().any(|word| agent.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_told_from_programs() {
        for browser in [
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
            "Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0",
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 399.0.0.25.110",
            "Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-A556B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/111.0.0.0 Mobile Safari/537.36 (Ecosia android@111.0.5563.116)",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5.1 Mobile/15E148 Safari/605.1.15 (Ecosia ios@11.5.2.2615)",
            "Mozilla/5.0 (Linux; Android 13; CUBOT X70) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
            "Opera/9.80 (Windows NT 6.1) Presto/2.12.388 Version/12.18",
        ] {
            assert!(!is_robot(browser), "{browser}");
        }
        for robot in [
            "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36",
            "Mozilla/5.0 (compatible; looks around; me@example.com)",
            "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
            "WhatsApp/2.23.20.0 A",
            "curl/8.5.0",
            "python-requests/2.32.3",
            "Go-http-client/1.1",
            "",
        ] {
            assert!(is_robot(robot), "{robot}");
        }
    }
}
