// Searches the panel itself for the home: settings by their name, areas, sections of the guide.
import { useEffect, useState } from 'preact/hooks'
import { SETTING_NAMES } from '../../api/schema'
import { settingMessages } from '../../api/setting-messages'
import { type GuideSection, plainText } from '../../features/guide/guide-node'
import { searchGuide } from '../../features/guide/search-guide'
import { matches } from '../../features/site-editor/search/search-content'
import { AREA_TITLES } from '../area-titles'
import { type Area, areaHref, isOwnerArea, settingHref } from '../routes'
import { homeMessages } from './messages'

const own = homeMessages.search

export type Hit = {
  readonly is: 'site' | 'setting' | 'guide'
  readonly key: string
  readonly href: string
  readonly where: string
  readonly text: string
}

/** Only an owner may open the settings and some areas. */
export function panelHits(
  query: string,
  sections: readonly GuideSection[],
  isOwner: boolean,
): readonly Hit[] {
  const settings = SETTING_NAMES.flatMap((name): readonly Hit[] => {
    const { label } = settingMessages[name]
    if (!isOwner || !matches(label, query)) return []
    return [{ is: 'setting', key: name, href: settingHref(name), where: own.setting, text: label }]
  })
  const areas = (Object.keys(AREA_TITLES) as Area[]).flatMap((area): readonly Hit[] => {
    const title = AREA_TITLES[area]
    if (area === 'casa' || !matches(title, query)) return []
    if (!isOwner && isOwnerArea(area)) return []
    return [{ is: 'setting', key: area, href: areaHref(area), where: own.area, text: title }]
  })
  const whole = searchGuide(sections, query).filter(({ isWhole }) => isWhole)
  const answers = whole.map(({ section, passages }): Hit => {
    const text = passages.map(plainText).find((passage) => passage !== '') ?? ''
    return {
      is: 'guide',
      key: `guida ${section.id}`,
      href: `${areaHref('guida')}/${section.id}`,
      where: `${own.guide} · ${section.title}`,
      text,
    }
  })
  return [...areas, ...settings, ...answers]
}

/** The guide, loaded once the search is used; empty when that fails. */
export function useGuideSections(isUsed: boolean): readonly GuideSection[] | null {
  const [sections, setSections] = useState<readonly GuideSection[] | null>(null)
  useEffect(() => {
    if (!isUsed) return
    import('virtual:guide').then(
      (guide) => setSections(guide.default),
      () => setSections([]),
    )
  }, [isUsed])
  return sections
}
