// Delivers a pending selection change before each key. Browsers fire `selectionchange` in a task of its own, after keys
// that are already queued: on a busy device Enter right after an arrow key replaced the former selection.

import { Plugin } from 'prosemirror-state'

/** Key of IME composition; some phone keyboards send it for every key. */
const COMPOSED = 'Process'

export const flushSelection = new Plugin({
  props: {
    handleDOMEvents: {
      keydown: (view, event) => {
        if (!event.isComposing && event.key !== COMPOSED && event.key !== 'Unidentified') {
          view.dom.ownerDocument.dispatchEvent(new Event('selectionchange'))
        }
        return false
      },
    },
  },
})
