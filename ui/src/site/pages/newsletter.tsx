// The screens behind newsletter links: a question with a button, or the result.

import { PillButton } from '../../primitives/buttons'
import { type Screen, screens, screenWords } from '../fixed-messages/newsletter'
import { defaultImage, type PageMeta } from '../meta'
import type { Input, SiteData } from '../page-data'
import { siteOf } from '../page-data'
import { MessageScreen } from '../sections/message-screen'
import { useContent } from '../use-content'

type NewsletterData = SiteData & { readonly screen: Screen }

export function slice(input: Input, key: string): NewsletterData {
  if (!isScreen(key)) throw new Error(`no newsletter screen ${key}`)
  return { ...siteOf(input), screen: key }
}

function isScreen(key: string): key is Screen {
  return (screens as readonly string[]).includes(key)
}

export function meta(data: NewsletterData): PageMeta {
  const { title, text } = screenWords(data.screen, data.words['newsletter.screens'], data.settings)
  return {
    title,
    description: text,
    keywords: [],
    ogImage: defaultImage(data),
    canonical: null,
    noindex: true,
  }
}

/** The form posts to the page's own address, which authorises the action; no script is needed. */
export function Page({ data }: { readonly data: NewsletterData }) {
  const words = screenWords(data.screen, useContent('newsletter.screens'), data.settings)
  return (
    <MessageScreen words={words}>
      {words.action && (
        <form method="post">
          <PillButton type="submit">{words.action}</PillButton>
        </form>
      )}
    </MessageScreen>
  )
}
