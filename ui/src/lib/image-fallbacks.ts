// Fallback pictures from the settings: which setting each picture field falls back to, and which picture the link
// preview of a page uses.

/** Setting with the fallback picture, by block and field. */
export const settingBehind = {
  'home.hero:pictureOne': 'heroImageOne',
  'home.hero:pictureTwo': 'heroImageTwo',
  'home.practitioner:portrait': 'portraitImage',
  'chi-sono.hero:portrait': 'portraitImage',
  'chi-sono.book:cover': 'bookImage',
} as const

export type PicturePlace = keyof typeof settingBehind

/** Candidates for the link preview picture of each page, in order of preference. */
const sharedPlaces: Readonly<Record<string, readonly PicturePlace[]>> = {
  home: ['home.hero:pictureOne', 'home.hero:pictureTwo', 'home.practitioner:portrait'],
  'chi-sono': ['chi-sono.hero:portrait'],
}

/** Returns the picture for the link preview of a page and its field; null if the page uses the default drawing. */
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
