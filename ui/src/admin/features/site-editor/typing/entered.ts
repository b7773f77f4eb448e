// What stood in a place when it was gone to, which Escape gives back.
import type { FieldValue } from '../api/content-api'

/** The id of the tools over a text: who goes to them has not left it. */
export const TOOLS = 'words-tools'

type Standing = { readonly path: string; readonly word: FieldValue | undefined }

/** `standing` tells of the place around an element. The answer: what stood in the last one. */
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
