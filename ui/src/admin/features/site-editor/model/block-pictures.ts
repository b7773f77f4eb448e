// The pictures of a block and their alternative texts.
import { settingBehind } from '../../../../lib/image-fallbacks'
import type { Block, ImageValue, ObjectValue } from '../api/content-api'
import { fieldId, flatten, isObjectValue } from './field-path'
import type { ChipContext } from './rich-value'

/** Uploaded pictures only; in an empty field the site draws an illustration. */
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

/** Blocks whose pictures show things; the same as for `is_photographed` on the server. */
const THINGS = ['chi-sono.book', 'footer.certificate']
const SITE_PICTURES = ['heroImageOne', 'heroImageTwo', 'portraitImage']

/** Whether a photograph in this form field is the first of the site; it mutes the site's illustrations. */
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

/** The path in a picture setting as the API returns it; null when it is unset. */
export function picturePath(setting: unknown): string | null {
  return typeof setting === 'string' && setting !== '' ? setting : null
}

/** The setting whose picture is shown while a form field has none, with the path of that picture. */
export function pictureBehind(field: string, { settings }: ChipContext) {
  const [, name] =
    Object.entries(settingBehind).find(([place]) => {
      const [block = '', path = ''] = place.split(':')
      return fieldId(block, path) === field
    }) ?? []
  const path = name === undefined ? null : picturePath(settings[name])
  return name === undefined || path === null ? null : { name, path }
}

/** Whether a picture has no alternative text and is not marked as decorative. */
export function isSilent({ alt, decorative }: ImageValue): boolean {
  return !decorative && alt.trim() === ''
}
