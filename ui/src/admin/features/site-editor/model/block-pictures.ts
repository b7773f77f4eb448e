// The pictures of a block, and what they say to who cannot see them.
import { settingBehind } from '../../../../lib/image-fallbacks'
import type { Block, ImageValue, ObjectValue } from '../api/content-api'
import { fieldId, flatten, isObjectValue } from './field-path'
import type { ChipContext } from './rich-value'

/** Those that are hers: a place without one is drawn by the site. */
export function picturesIn(
  block: Block,
  value: ObjectValue,
): readonly { readonly path: string; readonly picture: ImageValue }[] {
  return flatten(block.fields, value).flatMap(({ path, field, word }) =>
    field.type === 'picture' && isObjectValue(word)
      ? [{ path, picture: word as unknown as ImageValue }]
      : [],
  )
}

/** Their pictures are of things, as `is_photographed` of the server has it. */
const THINGS = ['chi-sono.book', 'footer.certificate']
const SITE_PICTURES = ['heroImageOne', 'heroImageTwo', 'portraitImage']

/** Whether a photograph in a field of the form is the first that the site shows: its drawings keep quiet from then on. */
export function isFirstPhotograph(field: string, { settings, blocks }: ChipContext): boolean {
  const isRead = Object.keys(settings).length > 0
  if (!isRead || THINGS.some((id) => field.startsWith(fieldId(id, '')))) return false
  const inSettings = SITE_PICTURES.some((name) => (settings[name] ?? '') !== '')
  const inWords = blocks.some(
    (block) =>
      !(block.hidden || THINGS.includes(block.id)) && picturesIn(block, block.value).length > 0,
  )
  return !(inSettings || inWords)
}

/** Of a setting as the panel reads it. */
export function picturePath(setting: unknown): string | null {
  return typeof setting === 'string' && setting !== '' ? setting : null
}

/** The setting whose picture stands in a field of the form that has none, and that picture. */
export function pictureBehind(field: string, { settings }: ChipContext) {
  const [, name] =
    Object.entries(settingBehind).find(([place]) => {
      const [block = '', path = ''] = place.split(':')
      return fieldId(block, path) === field
    }) ?? []
  const path = name === undefined ? null : picturePath(settings[name])
  return name === undefined || path === null ? null : { name, path }
}

/** Neither described nor said to be there for its looks alone. */
export function isSilent({ alt, decorative }: ImageValue): boolean {
  return !decorative && alt.trim() === ''
}
