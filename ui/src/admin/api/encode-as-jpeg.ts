// Encodes a photograph as JPEG on the device, upright and with at most the pixels that the server keeps: one above the
// upload limit, or one in HEIC, which only some browsers decode and the server does not. Metadata goes.

/** Longer side and JPEG quality, tried until the file fits. 4096 squared is the largest canvas of iOS. */
const STEPS = [
  { sidePx: 4096, quality: 0.9 },
  { sidePx: 3072, quality: 0.85 },
  { sidePx: 2560, quality: 0.8 },
] as const

/** Rejects when the browser cannot decode the file. */
export async function encodeAsJpeg(file: File, bytesMax: number): Promise<File> {
  const url = URL.createObjectURL(file)
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    for (const { sidePx, quality } of STEPS) {
      const blob = await encode(image, sidePx, quality)
      if (blob.size <= bytesMax)
        return new File([blob], named(file.name), {
          type: blob.type,
          lastModified: file.lastModified,
        })
    }
    return file
  } finally {
    URL.revokeObjectURL(url)
  }
}

function named(name: string): string {
  return name.replace(/\.hei[cf]$/i, '.jpg')
}

function encode(image: HTMLImageElement, sidePx: number, quality: number): Promise<Blob> {
  const { naturalWidth: width, naturalHeight: height } = image
  const scale = Math.min(1, sidePx / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const context = canvas.getContext('2d')
  return new Promise((resolve, reject) => {
    if (context === null) return reject(new Error('no canvas'))
    // JPEG has no transparency.
    context.fillStyle = 'white'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    const done = (blob: Blob | null) => (blob ? resolve(blob) : reject(new Error('no JPEG')))
    canvas.toBlob(done, 'image/jpeg', quality)
  })
}
