// The words to look at on the page and in the form beside it: hers, in blocks that are checked.
import { useEffect, useRef } from 'preact/hooks'
import type { Block } from '../features/site-editor/api/content-api'
import { hintsOf } from '../features/site-editor/lint/lint-panel'
import { fieldId } from '../features/site-editor/model/field-path'
import {
  draftOf,
  handAll,
  isWritten,
  usePages,
  whenHanded,
} from '../features/site-editor/model/pages-store'
import type { Known } from '../features/site-editor/model/rich-value'
import { LEFT_KEY, leftTexts } from '../lint/dismissed-warnings'
import type { Looked } from '../lint/lint-highlight'

type Checked = { readonly blocks: readonly Block[]; readonly known: Known }

/** Texts with a word in them that is marked, and not left as it is. */
function placesIn({ blocks, known }: Checked) {
  handAll()
  const store = usePages.getState()
  const left = leftTexts(LEFT_KEY)
  const hints = blocks.flatMap((block) => hintsOf(block, draftOf(store, block).value, known))
  const open = hints.filter(({ place, text }) => left[place] !== text)
  return new Map(open.map((hint) => [hint.place, hint])).values()
}

/** On a narrow screen the sheet's own field has them. */
export function usePageSpots(
  page: Document | null,
  { blocks, known, touch }: Checked & { readonly touch: boolean },
): void {
  useSpots(touch ? null : page, { blocks, known }, ({ place, text }) => {
    const name = CSS.escape(place)
    const found = page?.querySelectorAll<HTMLElement>(
      `[data-words="${name}"], [data-words^="${name}#"]`,
    )
    return [...(found ?? [])].map((element) => ({ element, place, text }))
  })
}

export function useFormSpots(form: HTMLElement | null, checked: Checked): void {
  useSpots(form, checked, ({ block, path, place, text }) => {
    const element = document.getElementById(fieldId(block.id, path))
    return element === null ? [] : [{ element, place, text }]
  })
}

type Hint = ReturnType<typeof hintsOf>[number]

function useSpots(
  root: HTMLElement | Document | null,
  checked: Checked,
  find: (hint: Hint) => readonly Looked[],
): void {
  const latest = useRef({ checked, find })
  latest.current = { checked, find }
  useEffect(() => {
    if (root === null) return undefined
    let stop: (() => void) | null = null
    let current = true
    const looked = () => [...placesIn(latest.current.checked)].flatMap(latest.current.find)
    import('../lint/lint-highlight').then(
      ({ watchWords }) => {
        if (current)
          stop = watchWords(root, { looked, key: LEFT_KEY, letters: { isWritten, whenHanded } })
      },
      // The list beside the page has them too.
      () => undefined,
    )
    return () => {
      current = false
      stop?.()
    }
  }, [root])
}
