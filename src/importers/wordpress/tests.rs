//! Tests of the conversion of WordPress posts to Markdown.

use super::html::{Around, Lost, markdown};
use respiro_content::markdown::{RenderContext, render};
use std::time::{Duration, Instant};

#[derive(Default)]
struct Known {
    lost: Vec<Lost>,
}

impl Around for Known {
    fn picture(&mut self, address: &str, number: Option<&str>) -> Option<String> {
        let name = address.rsplit('/').next().unwrap_or_default();
        let letter = number.unwrap_or(name).chars().next()?;
        (letter != 'x').then(|| format!("ID-{letter}"))
    }

    fn link(&mut self, address: &str) -> Option<String> {
        (!address.starts_with("javascript:") && !address.is_empty()).then(|| address.to_owned())
    }

    fn lost(&mut self, lost: Lost) {
        self.lost.push(lost);
    }
}

fn written(text: &str) -> (String, Vec<Lost>) {
    let mut known = Known::default();
    let text = markdown(text, &mut known);
    (text, known.lost)
}

fn alone(text: &str) -> String {
    written(text).0
}

#[test]
fn blocks_become_markdown() {
    for (html, expected) in [
        (
            "<!-- wp:paragraph -->\n<p>Uno\ndue</p>\n<!-- /wp:paragraph -->",
            "Uno due",
        ),
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("a\n\nb\nc", "a\n\nb\\\nc"),
        ("a<br />\nb<br><br>c", "a\\\nb\n\nc"),
        (
            "<h2><strong>Il</strong> titolo</h2><h3>x</h3>",
            "## Il titolo\n\n### x",
        ),
        (
            "<ul>\n<li>a</li>\n<li>b<ol><li>c</li><li>d</li></ol></li></ul>fine",
            "- a\n- b\n  1. c\n  2. d\n\nfine",
        ),
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        (
            "<ol start=\"3\"><li><p>a</p><p>b</p></li><li>c</li></ol>",
            "3. a\n\n   b\n4. c",
        ),
        (
            "<blockquote><p>a</p><p>b</p><cite>Chi</cite></blockquote><p>c</p>",
            "> a\n>\n> b\n>\n> *Chi*\n\nc",
        ),
        (
            "<pre class=\"x\"><code>a &lt; b\n  c</code></pre>",
            "```\na < b\n  c\n```",
        ),
        ("<pre>a<br>b</pre>", "```\na\nb\n```"),
        (
            "<select><option>a</option><option>b</option></select>",
            "a b",
        ),
        (
            "<a href=\"/x.pdf\">Scheda</a><a href=\"/x.pdf\" class=\"wp-block-file__button\">Scarica</a>",
            "[Scheda Scarica](/x.pdf)",
        ),
        ("a<hr>b", "a\n\n---\n\nb"),
        ("<b>a <i>b</b> c</i>", "**a *b*** *c*"),
        ("<p><strong>Ciao </strong>mondo</p>", "**Ciao** mondo"),
        (
            "<a href=\"/x (1)\">qui</a> <a href=\"javascript:x\">no</a>",
            "[qui](/x%20%281%29) no",
        ),
        ("1. no\n\n# no", "1\\. no\n\n\\# no"),
        ("&egrave; &nbsp;caff&eacute; &#8217;", "è \u{a0}caffé ’"),
        (
            "<script>alert('<p>')</script><style>p{}</style>a<noscript>b</noscript>",
            "a",
        ),
        (
            "<div class=\"wp-block-button\"><a class=\"wp-block-button__link\" href=\"/contatti\">Scrivimi</a></div>",
            "[Scrivimi](/contatti \"pulsante\")",
        ),
        ("<!--more-->a<!-- b -->", "a"),
    ] {
        assert_eq!(alone(html), expected, "{html}");
    }
}

/// `ui/e2e/admin-paste.spec.ts` pastes the same tables.
#[test]
fn a_table_is_a_line_for_each_row() {
    let tables = include_str!("../../../tests/data/tables.json");
    let tables: Vec<(String, String)> = serde_json::from_str(tables).unwrap();
    for (html, expected) in tables {
        assert_eq!(alone(&html), expected, "{html}");
    }
}

#[test]
fn pictures_stand_alone_with_their_words() {
    for (html, expected) in [
        (
            "prima <a href=\"/a.jpg\"><img src=\"/u/a.jpg\" alt=\"Il [mare]\"></a> dopo",
            "prima\n\n![Il \\[mare\\]](/objects/uploads/ID-a)\n\ndopo",
        ),
        (
            "<figure class=\"wp-block-image\"><img class=\"wp-image-7\" src=\"b.jpg\" alt=\"\"/><figcaption>Alba \"d'oro\"</figcaption></figure>",
            "![](/objects/uploads/ID-7 \"Alba \\\"d'oro\\\"\")",
        ),
        (
            "[caption id=\"c\"]<img src=\"a.jpg\"> Sotto[/caption]",
            "![](/objects/uploads/ID-a \"Sotto\")",
        ),
        (
            "<p><img src=\"a.jpg\"><img src=\"b.jpg\"></p>",
            "![](/objects/uploads/ID-a)\n![](/objects/uploads/ID-b)",
        ),
        (
            "<div class=\"wp-block-cover has-parallax\" style=\"background-image:url('/u/c.jpg')\"><p>Sopra</p></div>",
            "![](/objects/uploads/ID-c)\n\nSopra",
        ),
        ("<img src=\"x.jpg\" alt=\"manca\">a", "a"),
        (
            "<img src=\"data:image/png;base64,AA\" data-src=\"c.png\">",
            "![](/objects/uploads/ID-c)",
        ),
    ] {
        assert_eq!(alone(html), expected, "{html}");
    }
    let gallery = "<figure class=\"wp-block-gallery\"><figure><img src=\"a.jpg\"><figcaption>A</figcaption></figure>\
        <figure><img src=\"b.jpg\"></figure></figure><p>poi</p>";
    let expected = "![](/objects/uploads/ID-a \"A\")\n![](/objects/uploads/ID-b)\n\npoi";
    assert_eq!(written(gallery), (expected.to_owned(), vec![Lost::Gallery]));
    assert_eq!(
        alone("[gallery ids=\"1,2\"]"),
        "![](/objects/uploads/ID-1)\n![](/objects/uploads/ID-2)"
    );
}

#[test]
fn what_another_site_shows_becomes_a_link_and_is_named() {
    let url = "https://www.youtube.com/watch?v=a_b";
    let link = "[https://www.youtube.com/watch?v=a_b](https://www.youtube.com/watch?v=a_b)";
    for html in [
        format!("{url}\n\n"),
        format!("<figure class=\"wp-block-embed\"><div>\n{url}\n</div></figure>"),
        format!("[embed]{url}[/embed]"),
        format!("<iframe src=\"{url}\"></iframe>"),
    ] {
        let lost = vec![Lost::Embedded(url.to_owned())];
        assert_eq!(written(&html), (link.to_owned(), lost), "{html}");
    }
    let (text, lost) =
        written("<p>Scrivi: [contact-form-7 id=\"1\"]</p><!-- wp:latest-posts {\"a\":1} /-->");
    assert_eq!(text, "Scrivi:");
    let names = ["contact-form-7", "wp:latest-posts"];
    assert_eq!(lost, names.map(|name| Lost::Function(name.to_owned())));
}

/// Regression: the text of a navigation link was lost, and empty blocks were reported.
#[test]
fn blocks_without_content_leave_their_link_or_nothing() {
    let (text, lost) = written(
        "<!-- wp:social-link {\"url\":\"https://a.it/anna\",\"service\":\"instagram\"} /-->\
         <!-- wp:navigation-link {\"label\":\"Chi <b>sono</b>\",\"url\":\"/chi-sono\"} /-->\
         <!-- wp:paragraph /--><!-- wp:social-link {\"url\":\"javascript:x\"} /-->",
    );
    assert_eq!(
        text,
        "[instagram](https://a.it/anna)\n\n[Chi sono](/chi-sono)"
    );
    assert_eq!(lost, [Lost::Function("wp:social-link".to_owned())]);
}

/// Regression: each of these took minutes to hours, or overflowed the stack.
#[test]
fn texts_of_half_a_megabyte_take_linear_time() {
    let started = Instant::now();
    let ticks: String = (1..1_000).map(|count| "`".repeat(count) + " ").collect();
    for html in [
        "<b>&nbsp;</b><i>&nbsp;</i>".repeat(20_000) + "a",
        "<b>a</b>&nbsp;<i>&nbsp;</i>".repeat(20_000),
        "a)".repeat(250_000),
        "1.".repeat(250_000),
        "&amp;".repeat(100_000),
        "<a ".to_owned() + &"x=\"y\" ".repeat(80_000) + ">a</a>",
        "[gallery]".repeat(50_000),
        "[a b=\"".repeat(50_000),
        "<!-- wp:block ".repeat(35_000),
        "<!-- wp:block {\"ref\":1} /-->".repeat(20_000),
        "<!--".repeat(120_000),
        format!("<pre>{ticks}</pre>"),
        "<li>".repeat(120_000) + "a",
        "<ul><li>a".repeat(50_000),
        "a<br>".repeat(100_000),
        "<td>a".repeat(100_000),
    ] {
        written(&html);
        let taken = started.elapsed();
        assert!(taken < Duration::from_mins(1), "{taken:?}: {}", &html[..40]);
    }
}

#[test]
fn a_tag_with_fifty_thousand_attributes_keeps_its_text() {
    let html = format!(
        "prima <a href=\"/x\" {}>testo</a> dopo",
        "x=\"y\" ".repeat(50_000)
    );
    assert_eq!(alone(&html), "prima [testo](/x) dopo");
}

/// Hostile HTML causes no panic, yields no tag and no script, and takes bounded time.
#[test]
fn hostile_texts_stay_harmless() {
    let deep = "<div>".repeat(200_000);
    let lists = "<ul><li>".repeat(50_000) + "a";
    let open = "<b><i><table><a href=\"x\">".repeat(70_000) + "a";
    let unclosed = "<p title=\"".repeat(20_000);
    for html in [
        deep.as_str(),
        &lists,
        &open,
        &unclosed,
        "<svg><script>alert(1)</script><p onclick=x>a",
        "<img src=x onerror=alert(1)>",
        "<<a>>a<//b><!-<!--><![CDATA[x]]>",
        "<a href=\" java\nscript:alert(1)\">a</a>",
        "<li>a</ol></blockquote></li></table>b",
        "<textarea><p>mai</p>",
        "[caption][caption][gallery ids=\"",
        "\u{0}\u{b}\u{202e}a\u{feff}",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
    ] {
        let (text, _) = written(html);
        let around = RenderContext {
            pictures: &std::collections::BTreeMap::new(),
            site: None,
        };
        let shown = render(&text, &around).html;
        assert!(
            !shown.contains("<script") && !shown.contains("javascript:"),
            "{shown}"
        );
        assert!(
            !shown.contains("onerror=") && !shown.contains("<img"),
            "{shown}"
        );
        assert!(
            !text.contains(|c: char| c.is_control() && c != '\n'),
            "{text:?}"
        );
    }
}
