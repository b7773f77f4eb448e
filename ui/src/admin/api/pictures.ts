// Stored pictures as the server lists them, with their uses and edits.
import { call } from './client'
import type { Kind, Picture } from './schema'

/** Start and lengths of a part of a picture. */
export type Rectangle = {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** A place that shows a picture. */
export type PictureUse =
  | {
      readonly is: 'item'
      readonly kind: Kind
      readonly id: string
      readonly title: string | null
      readonly published: boolean
    }
  | { readonly is: 'trash'; readonly kind: Kind; readonly title: string | null }
  | {
      readonly is: 'block'
      readonly id: string
      readonly title: string
      readonly pages: readonly string[]
    }
  | { readonly is: 'setting'; readonly id: string }

export type StoredPicture = Picture & {
  /** The alternative text that was written last in any of its uses. */
  readonly alt: string | null
  readonly createdAt: string
  readonly isEdited: boolean
  readonly uses: readonly PictureUse[]
}

/** Quarter turns clockwise, then a crop in ten-thousandths of the turned sides. */
export type PictureEdit = { readonly turns: number; readonly crop: Rectangle | null }

export type PicturePage = {
  readonly pictures: readonly StoredPicture[]
  readonly found: number
  readonly total: number
}

export function listPictures(search: string, offset: number): Promise<PicturePage> {
  const query = new URLSearchParams({ search, offset: `${offset}` })
  return call<PicturePage>('GET', `/api/admin/pictures?${query}`)
}

export function getPicture(path: string): Promise<StoredPicture & { readonly edit: PictureEdit }> {
  return call('GET', `/api/admin/pictures/${idOf(path)}`)
}

/** Returns the path of the picture that is made of the same original by this edit. */
export async function editPicture(path: string, edit: PictureEdit): Promise<string> {
  const route = `/api/admin/pictures/${idOf(path)}/edits`
  const { imageUrl } = await call<{ imageUrl: string }>('POST', route, edit)
  return imageUrl
}

function idOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
