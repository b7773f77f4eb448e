// Searchable texts of an item: its texts, and its dates and prices as displayed.

import { dayText } from '../../../../lib/panel-date-format'
import { kindLabels } from '../../../api/kind-labels'
import { type Item, type Kind, kindSpecs, textOf } from '../../../api/schema'
import { wording } from '../messages'
import { stripMarkdown } from '../model/strip-markdown'

const { groups } = wording.find

/** Returns one text per field, without ids, slugs, picture paths and timestamps. */
export function itemSearchTexts(kind: Kind, item: Item): readonly string[] {
  const { fields, dated } = kindSpecs[kind]
  const own = Object.entries(fields).map(([name, { type }]) => {
    const text = textOf(item, name)
    switch (type) {
      case 'slug':
      case 'picture':
        return ''
      case 'markdown':
        return stripMarkdown(text)
      case 'price':
        return text === '' ? '' : `${text}\u00a0€`
      default:
        return text
    }
  })
  const day = dated ? dayText(item.createdAt) : ''
  return [...own, day].filter((text) => text !== '')
}

/** Name of the kind in the panel, such as `Eventi`. */
export function kindName(kind: Kind): string {
  return kind === 'blog' ? groups.articles : kindLabels[kind].label
}
