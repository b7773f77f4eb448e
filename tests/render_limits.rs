//! The renderer against bundles that misbehave: each fails by name, and the next render works.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test")]

use respiro::error::Error;
use respiro::render::{Renderer, Rendering};

/// A bundle that does what the snapshot says while it renders `/b`.
const BUNDLE: &str = r#"
const screen = (path, kind) => ({ path, slice: '{}', kind, sitemap: false, lastModified: null });
globalThis.respiro = {
  plan(text) {
    const { work } = JSON.parse(text);
    if (work === 'plan is no JSON') return '[';
    const page = (path, slice) => ({ ...screen(path, 'page'), slice });
    return JSON.stringify([page('/a', '1'), page('/b', JSON.stringify({ work }))]);
  },
  page(path, slice) {
    const answer = () => JSON.stringify({
      status: 200, head: '', html: `${path} ${slice} ${globalThis.left ?? 'clean'}`, entry: '',
    });
    switch (JSON.parse(slice).work) {
      case 'loop': for (;;) {}
      case 'loop in try': try { for (;;) {} } finally { return answer(); }
      case 'regular expression': return /^(a+)+$/.test('a'.repeat(40) + '!') ? '' : answer();
      case 'memory': { const all = []; for (;;) all.push(new Array(100000).fill(all.length)); }
      case 'throw null': throw null;
      case 'throw text': throw 'parola';
      case 'throw error': throw new Error('guasto');
      case 'recursion': { const deep = (n) => 1 + deep(n + 1); return deep(0); }
      case 'promise': return new Promise(() => {});
      case 'no text': return { status: 200 };
      case 'bad JSON': return '{"status": 200';
      case 'wrong shape': return '{"status": "si"}';
      case 'console': console.log('riga', 1, {}); console.error(null); return answer();
      case 'leave': globalThis.left = 'left over'; return answer();
      case 'reach out': return JSON.stringify({ status: 200, head: '', entry: '', html:
        ['fetch', 'process', 'require', 'setTimeout', 'Deno', 'std', 'os', 'XMLHttpRequest']
          .filter((name) => name in globalThis).join() });
      default: return answer();
    }
  },
};
"#;

fn render(renderer: &Renderer, work: &str) -> Result<Rendering, Error> {
    let snapshot = serde_json::json!({ "work": work }).to_string();
    renderer.render(snapshot, Box::new(|_| true))
}

fn html(rendering: &Rendering, position: usize) -> &str {
    &rendering.plan[position].1.as_ref().unwrap().html
}

#[test]
fn every_misbehaving_page_fails_by_name_and_the_next_render_is_clean() {
    let renderer = Renderer::start(BUNDLE).unwrap();
    let cases = [
        ("loop", "took too long"),
        ("loop in try", "took too long"),
        ("regular expression", "took too long"),
        ("memory", "out of memory"),
        ("throw null", "null"),
        ("throw text", "parola"),
        ("throw error", "guasto"),
        ("recursion", "Maximum call stack"),
        ("promise", ""),
        ("no text", ""),
        ("bad JSON", "bad JSON"),
        ("wrong shape", "bad JSON"),
    ];
    for (work, cause) in cases {
        let error = render(&renderer, work).expect_err(work).to_string();
        assert!(error.contains("/b"), "{work} names its page: {error}");
        assert!(error.contains(cause), "{work}: {error}");
        let next = render(&renderer, "nothing").unwrap();
        assert_eq!(html(&next, 0), "/a 1 clean", "after {work}");
    }
    let error = render(&renderer, "plan is no JSON")
        .unwrap_err()
        .to_string();
    assert!(error.contains("plan"), "{error}");
}

#[test]
fn an_error_carries_the_stack_of_the_page() {
    let renderer = Renderer::start(BUNDLE).unwrap();
    let error = render(&renderer, "throw error").unwrap_err().to_string();
    assert!(
        error.contains("page") && error.contains("server.js:"),
        "{error}"
    );
}

#[test]
fn nothing_is_left_over_from_one_render_to_the_next() {
    let renderer = Renderer::start(BUNDLE).unwrap();
    render(&renderer, "leave").unwrap();
    let next = render(&renderer, "nothing").unwrap();
    assert!(html(&next, 1).ends_with("clean"), "{}", html(&next, 1));
}

#[test]
fn the_console_is_there_and_nothing_of_the_outside() {
    let renderer = Renderer::start(BUNDLE).unwrap();
    assert!(html(&render(&renderer, "console").unwrap(), 1).starts_with("/b"));
    assert_eq!(html(&render(&renderer, "reach out").unwrap(), 1), "");
}

#[test]
fn only_the_wanted_pages_are_rendered() {
    let renderer = Renderer::start(BUNDLE).unwrap();
    let snapshot = serde_json::json!({ "work": "loop" }).to_string();
    let rendering = renderer
        .render(snapshot, Box::new(|page| page.path == "/a"))
        .unwrap();
    assert!(rendering.plan[0].1.is_some() && rendering.plan[1].1.is_none());
}

#[test]
fn a_bundle_that_does_not_load_is_an_error_of_each_render() {
    for bundle in [
        "respiro = ;",
        "throw new Error('no')",
        "await new Promise(() => {})",
        "1",
    ] {
        let renderer = Renderer::start(bundle).unwrap();
        for _ in 0..2 {
            assert!(
                matches!(render(&renderer, "nothing"), Err(Error::Render(_))),
                "{bundle}"
            );
        }
    }
}
