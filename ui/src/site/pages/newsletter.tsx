// What the links of a newsletter message open: a question with a button, or what became of it.

import { PillButton } from '../../primitives/actions'
import { newsletter } from '../content/newsletter'
import type { Input, SiteData } from '../data'
import { siteOf } from '../data'
import { defaultImage, type PageMeta } from '../meta'
import { Missing } from '../sections/missing'

type Screen = keyof typeof newsletter
type NewsletterData = SiteData & { readonly screen: Screen }

export function slice(input: Input, key: string): NewsletterData {
  if (!isScreen(key)) throw new Error(`no newsletter screen ${key}`)
  return { ...siteOf(input), screen: key }
}

function isScreen(key: string): key is Screen {
  return key in newsletter
}

export function meta(data: NewsletterData): PageMeta {
  const { title, text } = newsletter[data.screen]
  return {
    title,
    description: text,
    keywords: [],
    ogImage: defaultImage(data),
    canonical: null,
    noindex: true,
  }
}

/** The form goes back to the page's own address, which is its permission; scripts are not needed. */
export function Page({ data }: { readonly data: NewsletterData }) {
  const words = newsletter[data.screen]
  return (
    <Missing words={words}>
      {'action' in words && (
        <form method="post">
          <PillButton type="submit">{words.action}</PillButton>
        </form>
      )}
    </Missing>
  )
}
