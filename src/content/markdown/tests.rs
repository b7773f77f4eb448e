//! Tests of Markdown rendering.

use super::*;
use crate::Picture;

const A: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaa";
const B: &str = "bbbbbbbbbbbbbbbbbbbbbbbbbb";

fn picture(id: &str, width: u32, height: u32) -> Picture {
    Picture {
        id: id.to_owned(),
        width,
        height,
        placeholder: String::new(),
        widths: vec![320, 640],
        media_type: "image/jpeg".to_owned(),
        created_at: 0,
        files: BTreeMap::new(),
    }
}

fn rendered(markdown: &str, site: Option<&str>) -> Rendered {
    let pictures = [picture(A, 800, 600), picture(B, 600, 800)];
    let pictures = pictures.map(|one| (one.id.clone(), one)).into();
    let around = RenderContext {
        pictures: &pictures,
        site,
    };
    render(markdown, &around)
}

fn to_html(markdown: &str) -> String {
    rendered(markdown, None).html
}

#[test]
fn raw_html_is_shown_as_text() {
    let html = to_html("<script>alert(1)</script>\n\nciao <img src=x onerror=y> **forte**");
    assert!(!html.contains("<script"), "{html}");
    assert!(!html.contains("<img"), "{html}");
    assert!(html.contains("<strong>forte</strong>"), "{html}");
}

#[test]
fn links_and_pictures_lead_only_to_safe_addresses() {
    for address in [
        "javascript:alert(1)",
        "JaVaScRiPt:x",
        "data:text/html,x",
        "//evil.example",
    ] {
        let html = to_html(&format!("[a](<{address}>) ![b](<{address}>)"));
        assert!(!html.contains(address), "{html}");
        let html = to_html(&format!("[a](<{address}> \"pulsante\")"));
        assert!(
            !html.contains(address) && html.contains("data-button"),
            "{html}"
        );
    }
    let html = to_html("[a](https://example.com) [b](/contatti) [c](mailto:a@example.com)");
    for address in ["https://example.com", "/contatti", "mailto:a@example.com"] {
        assert!(html.contains(&format!("href=\"{address}\"")), "{html}");
    }
}

#[test]
fn headings_start_below_the_title_of_the_page_and_can_be_linked_to() {
    let one = rendered("# Uno\n\n## Due", None);
    assert_eq!(
        one.html,
        "<h2 id=\"sezione-uno\">Uno</h2>\n<h3 id=\"sezione-due\">Due</h3>\n"
    );
    let two = rendered("## È *così*\n\n## È così\n\n### Tre", None);
    assert!(
        two.html.contains("<h2 id=\"sezione-è-così-2\">"),
        "{}",
        two.html
    );
    assert!(two.html.contains("<h3"), "{}", two.html);
    let texts: Vec<&str> = two.sections.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(texts, ["È così", "È così"]);
    assert_eq!(two.words, 5);
}

#[test]
fn equal_headings_are_numbered_past_the_ids_that_others_have() {
    let html = to_html("## A 3\n\n## A\n\n## A\n\n## A\n\n## A 2\n\n## A");
    let ids: Vec<&str> = html
        .split("id=\"sezione-")
        .skip(1)
        .filter_map(|part| part.split('"').next())
        .collect();
    assert_eq!(ids, ["a-3", "a", "a-2", "a-4", "a-2-2", "a-5"]);
}

/// Regression: each heading tried every earlier suffix. 12,000 equal headings took 37 s; 200,000
/// did not finish.
#[test]
fn a_text_of_equal_headings_is_drawn_in_one_go() {
    let count = 200_000;
    let sections = rendered(&"# A\n".repeat(count), None).sections;
    assert_eq!(sections[count - 1].id, format!("sezione-a-{count}"));
}

#[test]
fn a_picture_outside_words_is_a_sized_lazy_figure() {
    let html = to_html(&format!(
        "Prima\n![Una \"sala\"](/objects/uploads/{A}#20,80 \"La <sala>\")\ndopo"
    ));
    assert!(html.starts_with("<p>Prima</p>\n<figure>"), "{html}");
    assert!(html.ends_with("</figure>\n<p>dopo</p>\n"), "{html}");
    for part in [
        "<source type=\"image/webp\" srcset=\"/objects/uploads/aaaaaaaaaaaaaaaaaaaaaaaaaa/320.webp 320w, ",
        "loading=\"lazy\"",
        "width=\"800\" height=\"600\"",
        "alt=\"Una &quot;sala&quot;\"",
        "data-x=\"2\" data-y=\"8\"",
        "<figcaption>La &lt;sala&gt;</figcaption>",
    ] {
        assert!(html.contains(part), "{part} in {html}");
    }
    assert!(to_html(&format!("![b](/objects/uploads/{B})")).contains(" data-tall"));
}

#[test]
fn pictures_in_a_row_are_a_gallery_and_those_inside_marks_stand_after_them() {
    let two = format!("![a](/objects/uploads/{A})\n![b](/objects/uploads/{B} \"c\")");
    let html = to_html(&two);
    assert!(
        html.starts_with("<div role=\"group\" aria-label=\"Galleria\"><figure>"),
        "{html}"
    );
    assert_eq!(html.matches("<figure>").count(), 2);
    let html = to_html(&format!(
        "[vedi ![a](/objects/uploads/{A})](https://example.com)"
    ));
    assert!(html.contains("vedi </a></p>\n<figure>"), "{html}");
    let html = to_html(&format!("# Titolo ![a](/objects/uploads/{A})"));
    assert_eq!(html, "<h2 id=\"sezione-titolo-a\">Titolo a</h2>\n");
    let html = to_html(&format!("- uno\n- ![a](/objects/uploads/{A})"));
    assert!(html.contains("<li><figure>"), "{html}");
}

#[test]
fn a_picture_that_is_not_there_or_from_elsewhere_is_left_out() {
    let gone = "c".repeat(26);
    assert_eq!(to_html(&format!("![a](/objects/uploads/{gone})")), "");
    assert_eq!(
        to_html("![un cane](https://example.com/x.jpg)"),
        "<p>un cane</p>\n"
    );
    assert_eq!(to_html("![a](/objects/uploads/../x)"), "<p>a</p>\n");
}

#[test]
fn a_button_leads_to_the_message_to_an_event_or_where_its_address_says() {
    let html = to_html("[Scrivimi](#messaggio \"pulsante\")");
    assert!(html.contains("href=\"#messaggio\""), "{html}");
    let html = to_html("[Vieni](/evento/e1 \"pulsante\")");
    assert_eq!(
        html,
        "<p><a data-button=\"\" href=\"/evento/e1\">Vieni</a></p>\n"
    );
    let html = to_html("[Vieni](/eventi \"pulsante\") e altro");
    assert!(!html.contains("data-button"), "{html}");
}

#[test]
fn a_text_read_elsewhere_has_whole_addresses() {
    let text =
        format!("[a](/contatti)\n\n![b](/objects/uploads/{A})\n\n[c](/evento/x \"pulsante\")");
    let html = rendered(&text, Some("https://example.com")).html;
    for address in [
        "href=\"https://example.com/contatti\"",
        "src=\"https://example.com/objects/uploads/aaaaaaaaaaaaaaaaaaaaaaaaaa/640.jpg\"",
        "href=\"https://example.com/evento/x\"",
    ] {
        assert!(html.contains(address), "{html}");
    }
    assert!(!html.contains("\"/"), "{html}");
}

#[test]
fn the_pictures_of_a_text_are_known_wherever_they_stand() {
    let text = format!(
        "# ![a](/objects/uploads/{A}#1,2)\n\n> - ![b][1]\n\n`![c](/objects/uploads/{})`\n\n[1]: /objects/uploads/{B} \"t\"",
        "c".repeat(26)
    );
    let ids = picture_ids(&text);
    assert_eq!(ids, BTreeSet::from([A.to_owned(), B.to_owned()]));
}

/// Regression: 30,000 nested lists exhausted the memory of the JavaScript context that renders
/// pages, and the article had no page.
#[test]
fn a_text_lies_no_deeper_than_pages_go_and_keeps_its_words() {
    for (around, end) in [("- ", ""), ("> ", ""), ("> 1. ", ""), ("*", "*")] {
        let text = format!("{}parole{}", around.repeat(4_000), end.repeat(4_000));
        let html = to_html(&text);
        assert!(html.contains("parole") && html.len() < 1_000, "{html}");
    }
    let lines = (0..15).map(|level| format!("{}- **{level}**\n", "  ".repeat(level)));
    let lines: String = lines.collect();
    let html = to_html(&lines);
    let last = "<strong>11</strong><br />\n<strong>12</strong><br />\n<strong>13</strong><br />";
    assert!(html.contains(last), "{html}");
    assert_eq!(html.matches("<ul>").count(), 12);
    assert_eq!(html.matches("</ul>").count(), 12);
    let pictures = Pictures::new();
    let around = RenderContext {
        pictures: &pictures,
        site: None,
    };
    let deep = format!("{}parole", "- ".repeat(4_000));
    assert!(to_plain_text(&deep, &around).len() < 1_000);
}

#[test]
fn plain_words_stay_the_words_that_they_are() {
    let typed = "Ciao *a tutte*, 1. no #\n# sì <b>\n\n- vieni_qui_ [x](y)\n    `z`";
    let pictures = Pictures::new();
    let around = RenderContext {
        pictures: &pictures,
        site: None,
    };
    let html = render(&from_plain_text(typed), &around).html;
    assert_eq!(
        html,
        "<p>Ciao *a tutte*, 1. no #<br />\n# sì &lt;b&gt;</p>\n<p>- vieni_qui_ [x](y)<br />\n`z`</p>\n"
    );
    assert_eq!(
        to_plain_text(&from_plain_text(typed), &around),
        "Ciao *a tutte*, 1. no #\n# sì <b>\n\n- vieni_qui_ [x](y)\n`z`"
    );
}

#[test]
fn the_texts_of_pictures_are_those_that_pages_show() {
    let (lake, wood) = ("a".repeat(26), "b".repeat(26));
    let text = format!(
        "![](/objects/uploads/{lake}) ![Il *lago*](/objects/uploads/{lake}#10,20 \"Alba\")\n\n\
         ![Altro](/objects/uploads/{lake}) ![ ](/objects/uploads/{wood})\n\n![Via](https://x.test/a.jpg)"
    );
    let texts = alternative_texts(&text);
    assert_eq!(texts, [(lake, "Il lago".to_owned())].into());
}
