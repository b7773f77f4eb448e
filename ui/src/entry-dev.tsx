// Renders a published page again from the sources and its embedded data, for the development server only.

import { renderToString } from 'preact-render-to-string'
import { App } from './site/layout/app'
import type { PageModule, PageState } from './site/page-module'
import { startTypesetting } from './site/typeset-vnodes'

const modules = import.meta.glob<PageModule>('./site/pages/*.tsx')

startTypesetting()

export async function drawn(state: PageState): Promise<string> {
  const load = modules[`./site/pages/${state.page}.tsx`]
  if (load === undefined) throw new Error(`no file for the page ${state.page}`)
  const { Page } = await load()
  return renderToString(<App page={{ ...state, Page }} />)
}
