// Remembers the value that a field had when it got the focus: Escape restores it.
import type { FieldValue } from '../api/content-api'

/** The id of the toolbar over a text: the focus in it has not left the text. */
export const TOOLS = 'words-tools'

type Standing = { readonly path: string; readonly word: FieldValue | undefined }

/** `standing` returns the field around an element. The result returns the value that the last one had. */
export function rememberEntered(
  page: Document,
  standing: (target: EventTarget | null) => Standing | null,
): () => FieldValue | undefined {
  let entered: Standing | null = null
  page.addEventListener('focusin', ({ target }) => {
    const now = standing(target)
    if (now !== null && now.path !== entered?.path) entered = now
  })
  page.addEventListener('focusout', () =>
    setTimeout(() => {
      const outer = document.activeElement
      const isHere = outer === page.defaultView?.frameElement
      const held = isHere ? standing(page.activeElement) : outer?.closest(`#${TOOLS}`)
      if (!held) entered = null
    }),
  )
  return () => entered?.word
}
