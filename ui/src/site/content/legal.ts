// The shape of the three legal pages: written as data, so that no Markdown library is shipped.

export type Inline =
  | string
  | { readonly bold: string }
  | { readonly link: string; readonly href: string }

export type LegalBlock =
  | { readonly heading: string }
  | { readonly text: readonly Inline[] }
  | { readonly list: readonly (readonly Inline[])[] }

export type LegalDocument = {
  readonly title: string
  readonly modified: string
  readonly blocks: readonly LegalBlock[]
}

export const contentsLabel = 'In questa pagina'
