// Highlights medical terms in texts of the admin, on the page and in the form beside it.
import { useRef } from 'preact/hooks'
import { DISMISSED_KEY, dismissedTexts } from '../../../lint/dismissed-warnings'
import type { LintTarget } from '../../../lint/lint-highlight'
import { useHighlights } from '../../../lint/use-highlights'
import type { Block } from '../api/content-api'
import { fieldId } from '../model/field-path'
import { draftOf, flushAll, hasPendingInput, onFlushed, usePages } from '../model/pages-store'
import type { ChipContext } from '../model/rich-value'
import { lintWarningsOf } from './lint-panel'

type Checked = { readonly blocks: readonly Block[]; readonly known: ChipContext }

/** Texts with a warning that the admin has not dismissed. */
function placesIn({ blocks, known }: Checked) {
  flushAll()
  const store = usePages.getState()
  const left = dismissedTexts(DISMISSED_KEY)
  const hints = blocks.flatMap((block) => lintWarningsOf(block, draftOf(store, block).value, known))
  const open = hints.filter(({ place, text }) => left[place] !== text)
  return new Map(open.map((hint) => [hint.place, hint])).values()
}

/** On a narrow screen the field in the sheet has the highlights instead of the page. */
export function usePageHighlights(
  page: Document | null,
  { blocks, known, touch }: Checked & { readonly touch: boolean },
): void {
  useRootHighlights(touch ? null : page, { blocks, known }, ({ place, text }) => {
    const name = CSS.escape(place)
    const found = page?.querySelectorAll<HTMLElement>(
      `[data-words="${name}"], [data-words^="${name}#"]`,
    )
    return [...(found ?? [])].map((element) => ({ element, place, text }))
  })
}

export function usePanelHighlights(form: HTMLElement | null, checked: Checked): void {
  useRootHighlights(form, checked, ({ block, path, place, text }) => {
    const element = document.getElementById(fieldId(block.id, path))
    return element === null ? [] : [{ element, place, text }]
  })
}

type Hint = ReturnType<typeof lintWarningsOf>[number]

function useRootHighlights(
  root: HTMLElement | Document | null,
  checked: Checked,
  find: (hint: Hint) => readonly LintTarget[],
): void {
  const latest = useRef({ checked, find })
  latest.current = { checked, find }
  const looked = () => [...placesIn(latest.current.checked)].flatMap(latest.current.find)
  useHighlights(
    root === null ? null : () => import('../../../lint/lint-highlight'),
    ({ watchLintTargets: watchWords }) =>
      root &&
      watchWords(root, {
        looked,
        key: DISMISSED_KEY,
        letters: { isWritten: hasPendingInput, whenHanded: onFlushed },
      }),
    [root],
  )
}
