//! Tests of the renderer's limits: each misbehaving bundle fails with its error, and the next
//! render works.

use respiro_render::Renderer;
use respiro_server::errors::Error;

/// A bundle that misbehaves during a render. The input selects the fault.
const BUNDLE: &str = r#"
globalThis.respiro = {
  routes: () => globalThis.left === 'bad routes' ? '[' : '[{"page":"b","path":"/b","kind":"page"}]',
  page(page, path, input) {
    const answer = () => ({
      head: '', html: `${page} ${path} ${input} ${globalThis.left ?? 'clean'}`, entry: '', data: '',
    });
    switch (JSON.parse(input).work) {
      case 'loop': for (;;) {}
      case 'loop in try': try { for (;;) {} } finally { return answer(); }
      case 'regular expression': return /^(a+)+$/.test('a'.repeat(40) + '!') ? '' : answer();
      case 'memory': { const all = []; for (;;) all.push(new Array(100000).fill(all.length)); }
      case 'throw null': throw null;
      case 'throw text': throw 'parola';
      case 'throw error': globalThis.left = 'left over'; throw new Error('guasto');
      case 'recursion': { const deep = (n) => 1 + deep(n + 1); return deep(0); }
      case 'promise': return new Promise(() => {});
      case 'nothing of it': return '{"head": ""}';
      case 'half of it': return { head: '', html: '' };
      case 'no text': return { ...answer(), html: 200 };
      case 'half a letter': return { ...answer(), html: '\ud83c' };
      case 'console': console.log('riga', 1, {}); console.error(null); return answer();
      case 'bad routes': globalThis.left = 'bad routes'; return answer();
      case 'reach out': return { ...answer(), html:
        ['fetch', 'process', 'require', 'setTimeout', 'Deno', 'std', 'os', 'XMLHttpRequest']
          .filter((name) => name in globalThis).join() };
      default: return answer();
    }
  },
};
"#;

fn render(renderer: &Renderer, work: &str) -> Result<String, Error> {
    let input = serde_json::json!({ "work": work }).to_string();
    Ok(renderer.render_page("b", "/b", input)?.html)
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
        ("nothing of it", ""),
        ("half of it", "undefined"),
        ("no text", "int"),
        ("half a letter", "utf-8"),
    ];
    for (work, cause) in cases {
        let error = render(&renderer, work).expect_err(work).to_string();
        assert!(error.contains("/b"), "{work} names its page: {error}");
        assert!(error.contains(cause), "{work}: {error}");
        let next = render(&renderer, "nothing").unwrap();
        assert_eq!(next, r#"b /b {"work":"nothing"} clean"#, "after {work}");
    }
    render(&renderer, "bad routes").unwrap();
    let error = renderer.load_route_table().unwrap_err().to_string();
    assert!(error.contains("routes"), "{error}");
    assert!(renderer.load_route_table().unwrap().starts_with("[{"));
}

#[test]
fn a_context_that_is_made_ready_is_as_clean_as_any() {
    let renderer = Renderer::start(BUNDLE).unwrap();
    for _ in 0..3 {
        renderer.preload_context();
        assert!(render(&renderer, "nothing").unwrap().ends_with("clean"));
    }
    let broken = Renderer::start("throw new Error('no')").unwrap();
    broken.preload_context();
    assert!(matches!(render(&broken, "nothing"), Err(Error::Render(_))));
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
fn the_console_is_there_and_nothing_of_the_outside() {
    let renderer = Renderer::start(BUNDLE).unwrap();
    assert!(render(&renderer, "console").unwrap().starts_with("b /b"));
    assert_eq!(render(&renderer, "reach out").unwrap(), "");
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
