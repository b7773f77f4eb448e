// Checks a chosen file before the upload: size and type. Large photographs are shrunk; HEIC photographs of
// iPhones become JPEG where the browser decodes them.

import { answers, limits } from '../../kinds/kinds.gen'

/** Covers an ISO media header with its list of compatible brands. */
const HEAD_BYTES = 64

const bytesPerMegabyte = 1024 * 1024

const STORED_TYPES = 'image/jpeg,image/png,image/webp,image/gif,image/avif'

/**
 * For `accept`. Without HEIC an iPhone converts its photographs to JPEG itself, with it or with `image/*` it hands them
 * over; a Mac dims files of other types in its file picker.
 */
export const PICTURE_TYPES =
  typeof navigator !== 'undefined' && navigator.maxTouchPoints > 0
    ? STORED_TYPES
    : `${STORED_TYPES},image/heic,image/heif`

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
  if (await hasHeicHead(file)) return answers.heic
  if (file.type !== '' && !file.type.startsWith('image/')) return notAnImageText(file.name)
  return null
}

async function hasHeicHead(file: File): Promise<boolean> {
  return isHeic(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()))
}

/**
 * The file to upload, and why it cannot be uploaded or null. A photograph above the limit, or in HEIC, becomes a JPEG on
 * the device; where the browser cannot decode it, the file itself is refused.
 */
export async function checkedFile(chosen: File): Promise<{ file: File; refusal: string | null }> {
  // An animation would become a still picture.
  const isLarge = chosen.size > limits.uploadBytesMax && chosen.type !== 'image/gif'
  const encode = async () => {
    const { encodeAsJpeg } = await import('./encode-as-jpeg')
    return encodeAsJpeg(chosen, limits.uploadBytesMax)
  }
  const isEncoded = isLarge || (await hasHeicHead(chosen))
  const file = isEncoded ? await encode().catch(() => chosen) : chosen
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
