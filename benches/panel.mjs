// Panel actions for measurements: sign in, change an item, publish a photo.

import { crc32, deflateSync } from 'node:zlib'

const account = { email: 'misura@example.com', password: 'una parola lunga' }

/**
 * Signs in as the practitioner of a freshly started program. Returns a function that calls the API and returns JSON.
 */
export async function signIn({ origin, setUpToken }) {
  const headers = { origin, 'content-type': 'application/json' }
  async function call(method, path, body) {
    const answer = await fetch(origin + path, { method, headers, body: body && JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    headers.cookie ??= answer.headers.get('set-cookie')?.split(';', 1)[0]
    const text = await answer.text()
    return text && JSON.parse(text)
  }
  await call('POST', '/api/auth/setup', { token: setUpToken, ...account })
  return call
}

/** Publishes a picture that compresses as badly as foliage; its larger widths are over 100 KB. */
export async function publishFoliage(call, origin) {
  const { uploadURL } = await call('POST', '/api/admin/upload')
  const { pathname, search } = new URL(uploadURL)
  const answer = await fetch(origin + pathname + search, { method: 'PUT', body: foliage(1600, 1067) })
  if (!answer.ok) throw new Error(`the upload answered ${answer.status}: ${await answer.text()}`)
  const { imageUrl } = await answer.json()
  await call('POST', '/api/admin/photo-gallery', { title: 'Fogliame', imageUrl })
}

/** Returns noise on a gradient as PNG, the same in every run. */
function foliage(width, height) {
  const rows = Buffer.alloc((width * 3 + 1) * height)
  let seed = 1
  for (let y = 0, at = 0; y < height; y += 1) {
    at += 1
    for (let x = 0; x < width; x += 1) {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
      const noise = (seed >>> 16) % 48
      for (const base of [60, 110, 40]) rows[at++] = base + noise + Math.floor((x / width) * 60)
    }
  }
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  size.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  return Buffer.concat([signature, part('IHDR', size), part('IDAT', deflateSync(rows)), part('IEND', Buffer.alloc(0))])
}

function part(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
