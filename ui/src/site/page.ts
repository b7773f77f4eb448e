// What a page file exports, and what the server sends along with a page.

import type { VNode } from 'preact'
import type { Input, Read, SiteData } from './data'
import type { PageMeta } from './meta'

/**
 * A file of `pages/`. All of it is pure. The table of routes does not know the type of each
 * page's data, so these are methods, which TypeScript compares both ways.
 */
export type PageModule = PageParts['module']

/** The component alone, as browsers load it. */
export type PageComponent = PageParts['module']['Page']

type PageParts = {
  readonly module: {
    readonly reads?: readonly Read[]
    /** A host of plain files shows something else: the binary draws it for that once more. */
    readonly isOtherInFiles?: true
    /** The page's data; `key` is the last part of its address. */
    slice(input: Input, key: string): SiteData
    meta(data: SiteData): PageMeta
    Page(props: { readonly data: SiteData }): VNode
  }
}

/** The page's data as it travels inside the HTML. */
export type PageState = {
  /** The name in the table of routes: the server decides what an address shows. */
  readonly page: string
  readonly path: string
  readonly data: SiteData
}

/** A page that is ready to be drawn. */
export type ReadyPage = PageState & { readonly Page: PageComponent }
