// The exports of a page module, and the data that the server sends with a page.

import type { VNode } from 'preact'
import type { PageMeta } from './meta'
import type { Input, Read, SiteData } from './page-data'

/**
 * A module of `pages/`. All its functions are pure. They are methods, because the route table does
 * not know the type of each page's data and TypeScript compares the parameters of methods
 * bivariantly.
 */
export type PageModule = PageParts['module']

/** The component alone, as browsers load it. */
export type PageComponent = PageParts['module']['Page']

type PageParts = {
  readonly module: {
    readonly reads?: readonly Read[]
    /** The page looks different on a static host: the server renders it once more for exports. */
    readonly isOtherInFiles?: true
    /** Returns the data of the page; `key` is the last segment of its path. */
    slice(input: Input, key: string): SiteData
    meta(data: SiteData): PageMeta
    Page(props: { readonly data: SiteData }): VNode
  }
}

/** The page data as embedded in the HTML. */
export type PageState = {
  /**
   * Name in the route table. The server sends it, because the server decides which page a path
   * shows.
   */
  readonly page: string
  readonly path: string
  readonly data: SiteData
}

/** A page whose component is loaded. */
export type ReadyPage = PageState & { readonly Page: PageComponent }
