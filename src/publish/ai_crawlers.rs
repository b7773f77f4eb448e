//! Crawlers that collect pages to train AI models, for robots.txt.

/// User agent of robots.txt, and the page of its operator, or of a directory where the operator has
/// none. From `robots.json` of <https://github.com/ai-robots-txt/ai.robots.txt>, which says what
/// each is for, as of 22 August 2026.
///
/// Left out, because they fetch a page to answer a question and cite it: `OAI-SearchBot`,
/// `ChatGPT-User`, `Claude-SearchBot`, `Claude-User`, `PerplexityBot`, `Perplexity-User`,
/// `Applebot`, `Bingbot`, `Googlebot`, `Amzn-SearchBot`, `Meta-ExternalFetcher`,
/// `MistralAI-User`, `DuckAssistBot`.
pub(super) const TRAINING_CRAWLERS: &[(&str, &str)] = &[
    ("GPTBot", "https://platform.openai.com/docs/bots"),
    (
        "ClaudeBot",
        "https://support.anthropic.com/en/articles/8896518",
    ),
    (
        "Google-Extended",
        "https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers",
    ),
    (
        "Applebot-Extended",
        "https://support.apple.com/en-us/119829",
    ),
    (
        "Meta-ExternalAgent",
        "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers",
    ),
    ("Amazonbot", "https://developer.amazon.com/amazonbot"),
    ("CCBot", "https://commoncrawl.org/ccbot"),
    ("AI2Bot", "https://allenai.org/crawler"),
    ("Ai2Bot-Dolma", "https://allenai.org/crawler"),
    (
        "cohere-training-data-crawler",
        "https://knownagents.com/agents/cohere-training-data-crawler",
    ),
    ("Bytespider", "https://knownagents.com/agents/bytespider"),
];
