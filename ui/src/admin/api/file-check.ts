// Checks a chosen file before the upload: size, type, and HEIC images of iPhones. Large photographs
// are shrunk.

import { answers, limits } from '../../kinds/kinds.gen'

/** Covers an ISO media header with its list of compatible brands. */
const HEAD_BYTES = 64

const bytesPerMegabyte = 1024 * 1024

/** For `accept`. With these named, an iPhone converts its HEIC photographs to JPEG; with `image/*` it hands them over. */
export const PICTURE_TYPES = 'image/jpeg,image/png,image/webp,image/gif,image/avif'

const HEIC_BRANDS = ['heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1']

/** Detects HEIC and HEIF by content, not by file name. */
export function isHeic(head: Uint8Array): boolean {
  const text = String.fromCharCode(...head.slice(0, HEAD_BYTES))
  if (text.slice(4, 8) !== 'ftyp' || text.includes('avif')) return false
  return HEIC_BRANDS.includes(text.slice(8, 12))
}

export function tooLargeText(filename: string): string {
  return `File ${filename} troppo grande. Massimo ${limits.uploadBytesMax / bytesPerMegabyte}MB`
}

export function notAnImageText(filename: string): string {
  return `Il file ${filename} non è un'immagine.`
}

/** Why a file cannot be uploaded, or null. */
export async function refusalOf(file: File): Promise<string | null> {
  if (file.size > limits.uploadBytesMax) return tooLargeText(file.name)
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())
  if (isHeic(head)) return answers.heic
  if (file.type !== '' && !file.type.startsWith('image/')) return notAnImageText(file.name)
  return null
}

/** The file to upload, and why it cannot be uploaded or null. A photograph above the limit is shrunk. */
export async function checkedFile(chosen: File): Promise<{ file: File; refusal: string | null }> {
  // An animation would become a still picture.
  const isShrunk = chosen.size > limits.uploadBytesMax && chosen.type !== 'image/gif'
  const shrink = async () => {
    const { shrinkImage } = await import('./shrink-image')
    return shrinkImage(chosen, limits.uploadBytesMax)
  }
  const file = isShrunk ? await shrink().catch(() => chosen) : chosen
  return { file, refusal: await refusalOf(file) }
}

/** Formats a size in Italian: '2,4 MB'. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < bytesPerMegabyte) return `${Math.round(bytes / 1024)} KB`
  const megabytes = bytes / bytesPerMegabyte
  return `${megabytes.toFixed(1).replace('.', ',')} MB`
}

export function withoutExtension(filename: string): string {
  return filename.replace(/\.[^.]+$/, '')
}
