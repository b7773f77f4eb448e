// The shape of the three legal pages: written as data, so that no Markdown library is shipped.

export type Inline = Plain | { readonly counted: readonly Plain[]; readonly otherwise?: string }

/** What stands there in any case; `counted` only while visits are counted. */
export type Plain =
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

/** What stands there, as visits are counted or not. */
export function shown(parts: readonly Inline[], countsVisits: boolean): readonly Plain[] {
  return parts.flatMap((part) => {
    if (typeof part === 'string' || !('counted' in part)) return [part]
    return countsVisits ? part.counted : [part.otherwise ?? '']
  })
}

export const contentsLabel = 'In questa pagina'
