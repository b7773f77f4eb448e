// Delivers a pending selection change before each key. Browsers fire `selectionchange` in a task of its own, after keys
// that are already queued: on a busy device Enter right after an arrow key replaced the former selection.

import { Plugin } from 'prosemirror-state'
import { isImeKey } from '../../lib/ime-key'

export const flushSelection = new Plugin({
  props: {
    handleDOMEvents: {
      keydown: (view, event) => {
        // Some phone keyboards send this name for every key.
        if (!isImeKey(event) && event.key !== 'Unidentified') {
          view.dom.ownerDocument.dispatchEvent(new Event('selectionchange'))
        }
        return false
      },
    },
  },
})
