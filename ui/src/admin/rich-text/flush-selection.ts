// A browser tells by a task of its own that the selection has moved, and a key that waits already goes
// before it: on a busy device 'Enter' right behind an arrow broke the line over the words that had been
// selected, and they were gone. Each key hears of it first.

import { Plugin } from 'prosemirror-state'

/** Keys of a text that is being composed, as some keyboards of telephones send all of theirs. */
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
