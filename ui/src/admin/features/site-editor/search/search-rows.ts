// Everything that the search of the site looks through: blocks with their drafts, items, articles and settings.
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../../api/client'
import { CONTENT_KINDS } from '../../../api/kind-labels'
import { type Item, type Kind, SETTING_NAMES, settingSpecs, titleOf } from '../../../api/schema'
import { settingMessages } from '../../../api/setting-messages'
import { itemHref, settingHref } from '../../../app/routes'
import { wording } from '../messages'
import { editHref } from '../model/editable-pages'
import { draftOf, type useBlocksAndDrafts } from '../model/pages-store'
import type { ChipContext } from '../model/rich-value'
import { itemSearchTexts, kindName } from './item-search-text'
import { findIn, matches } from './search-content'

const own = wording.find

export type Row = { key: string; href: string; where: string; text: string }
/** The first text that matches the query is shown. */
export type Elsewhere = Omit<Row, 'text'> & { texts: readonly string[] }

type Store = ReturnType<typeof useBlocksAndDrafts>

export function searchRows(
  store: Store,
  query: string,
  known: ChipContext,
  elsewhere: readonly Elsewhere[],
): readonly Row[] {
  const blocks = (store.blocks ?? []).map((block) => ({ ...block, ...draftOf(store, block) }))
  const hits = findIn(blocks, query, known).map((hit) => ({
    key: hit.place,
    href: editHref(hit.page, hit.place, query),
    where: [
      hit.page.label,
      hit.block.label,
      hit.label,
      ...(hit.block.id in store.drafts ? [own.inDraft] : []),
      ...(hit.block.hidden ? [own.hiddenBlock] : []),
    ].join(' · '),
    text: hit.text,
  }))
  const others = elsewhere.flatMap(({ texts, ...row }): readonly Row[] => {
    const text = texts.find((one) => matches(one, query))
    return text === undefined ? [] : [{ ...row, text }]
  })
  return [...hits, ...others]
}

/** Items, articles and settings, loaded once when the search is first used. */
export function useElsewhere(isUsed: boolean): readonly Elsewhere[] {
  const [rows, setRows] = useState<readonly Elsewhere[]>([])
  const [isWanted, setWanted] = useState(isUsed)
  if (isUsed && !isWanted) setWanted(true)
  useEffect(() => {
    if (!isWanted) return undefined
    let current = true
    const kinds: readonly Kind[] = [...CONTENT_KINDS, 'blog']
    void Promise.allSettled([...kinds.map(itemsOf), settingRows()]).then((answers) => {
      const read = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
      if (current) setRows(read)
    })
    return () => {
      current = false
    }
  }, [isWanted])
  return rows
}

async function itemsOf(kind: Kind): Promise<readonly Elsewhere[]> {
  const items = await call<readonly Item[]>('GET', `/api/admin/${kind}`)
  return items.map((item) => ({
    key: item.id,
    href: itemHref(kind, item.id),
    where: [kindName(kind), titleOf(item, '')].filter((name) => name !== '').join(' · '),
    texts: itemSearchTexts(kind, item),
  }))
}

async function settingRows(): Promise<readonly Elsewhere[]> {
  const settings = await call<Readonly<Record<string, unknown>>>('GET', '/api/admin/settings')
  return SETTING_NAMES.flatMap((name) => {
    const text = settings[name]
    // The value of a picture setting is only a path.
    if (typeof text !== 'string' || settingSpecs[name].field.type === 'picture') return []
    const { label } = settingMessages[name]
    const where = `${own.groups.settings} · ${label}`
    return [{ key: name, href: settingHref(name), where, texts: [text] }]
  })
}
