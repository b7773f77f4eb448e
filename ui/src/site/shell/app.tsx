// One whole screen: the page between header and footer.

import { Router } from 'wouter'
import type { ReadyPage } from '../page'
import { routes } from '../routes'
import { Footer } from './footer'
import { Header } from './header'

type AppProps = { readonly page: ReadyPage }

export const mainId = 'contenuto'

export function App({ page }: AppProps) {
  const { Page } = page
  const isOnDark = routes.some((route) => route.page === page.page && route.opensDark)
  return (
    <Router ssrPath={page.path}>
      <Header settings={page.data.settings} isOnDark={isOnDark} />
      <main id={mainId} tabIndex={-1}>
        <Page key={page.path} data={page.data} />
      </main>
      <Footer settings={page.data.settings} />
    </Router>
  )
}
