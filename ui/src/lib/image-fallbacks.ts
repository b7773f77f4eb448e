// Pictures that the settings hold and a page may replace: which stands behind which, and what
// messengers show of the pages that begin with one.

/** By block and field: the setting whose picture stands there while the block has none of its own. */
export const settingBehind = {
  'home.hero:pictureOne': 'heroImageOne',
  'home.hero:pictureTwo': 'heroImageTwo',
  'home.practitioner:portrait': 'portraitImage',
  'chi-sono.hero:portrait': 'portraitImage',
  'chi-sono.book:cover': 'bookImage',
} as const

export type PicturePlace = keyof typeof settingBehind

/** By page: of these the first that has a picture is shared with its link. */
const sharedPlaces: Readonly<Record<string, readonly PicturePlace[]>> = {
  home: ['home.hero:pictureOne', 'home.hero:pictureTwo', 'home.practitioner:portrait'],
  'chi-sono': ['chi-sono.hero:portrait'],
}

/** The picture that is shared with the link of a page, and where it stands; null: the drawing. */
export function fallbackImage<Picture>(
  page: string,
  pictureAt: (block: string, field: string) => Picture | null | undefined,
  pictureOf: (setting: (typeof settingBehind)[PicturePlace]) => Picture | null | undefined,
): { readonly place: PicturePlace; readonly picture: Picture } | null {
  for (const place of sharedPlaces[page] ?? []) {
    const [block = '', field = ''] = place.split(':')
    const picture = pictureAt(block, field) ?? pictureOf(settingBehind[place])
    if (picture) return { place, picture }
  }
  return null
}
