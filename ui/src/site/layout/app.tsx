// The whole screen: header, page, footer.

import type { ComponentChildren } from 'preact'
import { Router } from 'wouter'
import { labels } from '../fixed-messages/control-labels'
import type { ReadyPage } from '../page-module'
import { isMissing, routes } from '../routes'
import { ContentContext } from '../use-content'
import { MutedArtContext } from '../use-muted-art'
import styles from './app.module.css'
import { CookieBanner } from './cookie-banner'
import { Footer } from './footer'
import { Header } from './header'
import { MessagingButton } from './messaging-button'
import { ScrollTop } from './scroll-top'
import { Toaster } from './toaster'

type AppProps = { readonly page: ReadyPage }

export const mainId = 'contenuto'

export function App({ page }: AppProps) {
  const { Page } = page
  const route = routes.find((candidate) => candidate.page === page.page)
  // The screen for a missing page has a light opening, whatever its route.
  const isOnDark = route?.opensDark === true && !isMissing(page.path)
  return (
    <ContentContext.Provider value={page.data.words}>
      <MutedArtContext.Provider value={page.data.photographed}>
        <Router ssrPath={page.path}>
          <a class={styles.skip} href={`#${mainId}`}>
            {labels.skipToContent}
          </a>
          <Top banner={page.data.banner}>
            <Header settings={page.data.settings} isOnDark={isOnDark} />
          </Top>
          <main id={mainId} tabIndex={-1}>
            <Page key={page.path} data={page.data} />
          </main>
          <Footer settings={page.data.settings} profiles={page.data.profiles} />
          {/* No floating button over a question: on a phone it would cover the fields. */}
          {!route?.isQuestion && <MessagingButton settings={page.data.settings} />}
          <ScrollTop />
          <Toaster />
          {!route?.isQuestion && <CookieBanner countsVisits={page.data.countsVisits} />}
        </Router>
      </MutedArtContext.Provider>
    </ContentContext.Provider>
  )
}

type TopProps = { readonly banner: string | undefined; readonly children: ComponentChildren }

/** The header, below a line of the practitioner if there is one; the line scrolls away. */
function Top({ banner, children }: TopProps) {
  if (banner === undefined) return <>{children}</>
  return (
    <>
      <aside class={styles.banner}>{banner}</aside>
      <div class={styles.belowBanner}>{children}</div>
    </>
  )
}
