// Copies the rules for browsers without scripts to pages whose scripts cannot run: browsers that do not know the syntax
// of the scripts do not know the media feature `scripting` either. `PLAIN` in `src/publish/html_template.rs` sets the
// attribute.

import type { Plugin } from 'postcss'

export const plainPrefix = '[data-plain]'

export const plainRules: Plugin = {
  postcssPlugin: 'plain-rules',
  OnceExit(root) {
    root.walkAtRules('media', (media) => {
      if (!/\(scripting: ?none\)/.test(media.params)) return
      const rules = (media.nodes ?? []).flatMap((node) =>
        node.type === 'rule' ? [node.clone()] : [],
      )
      for (const rule of rules)
        rule.selectors = rule.selectors.map((selector) => `${plainPrefix} ${selector}`)
      media.after(rules)
    })
  },
}
