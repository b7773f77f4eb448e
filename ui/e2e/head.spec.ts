// Tests the metadata for search engines, link previews and feed readers, read from the responses.

import type { APIRequestContext } from '@playwright/test'
import { italian } from './italian'
import { expect, pathOf, publicPages, test } from './test'

const unlisted = ['/privacy', '/terms', '/cookies']
const socialBytesMax = 250_000
const named = [
  'description',
  'keywords',
  'robots',
  'twitter:card',
  'twitter:title',
  'twitter:image',
]
const properties = [
  'og:type',
  'og:site_name',
  'og:title',
  'og:description',
  'og:url',
  'og:image',
  'og:image:alt',
]

function plain(text: string) {
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
}

function meta(html: string, attribute: 'name' | 'property', key: string) {
  const found = new RegExp(`<meta ${attribute}="${key}" content="([^"]*)"`).exec(html)
  return plain(found?.[1] ?? '')
}

/** Width and height from the frame header of a JPEG. */
function sizeOf(jpeg: Buffer): [number, number] {
  const frame = [0xc0, 0xc2].map((kind) => jpeg.indexOf(Buffer.from([0xff, kind, 0x00, 0x11, 8])))
  const at = Math.max(...frame)
  return [jpeg.readUInt16BE(at + 7), jpeg.readUInt16BE(at + 5)]
}

async function textOf(request: APIRequestContext, url: string) {
  const answer = await request.get(url)
  expect(answer.status(), url).toBe(200)
  return answer.text()
}

test('every page has its own head, with a picture for messengers', async ({ request, site }) => {
  // Thirteen pages, with a generated picture each.
  test.slow()
  const titles = new Set<string>()
  for (const name of publicPages) {
    const path = await pathOf(name, site)
    const html = await textOf(request, site.origin + path)
    titles.add(/<title>([^<]+) \| Respiro<\/title>/.exec(html)?.[1] ?? '')
    for (const key of named) expect(meta(html, 'name', key), `${path} ${key}`).not.toBe('')
    for (const key of properties) expect(meta(html, 'property', key), `${path} ${key}`).not.toBe('')
    expect(html, path).toContain('<html lang="it">')
    expect(html, path).toContain(`<link rel="canonical" href="${site.origin}${path}">`)
    expect(meta(html, 'property', 'og:locale')).toBe('it_IT')
    expect(meta(html, 'property', 'og:url')).toBe(site.origin + path)
    expect(meta(html, 'name', 'robots')).toBe(
      unlisted.includes(path) ? 'noindex, follow' : 'index, follow',
    )
    const picture = await request.get(meta(html, 'property', 'og:image'))
    expect(picture.headers()['content-type']).toBe('image/jpeg')
    const bytes = await picture.body()
    expect(bytes.length).toBeLessThan(socialBytesMax)
    expect(sizeOf(bytes), path).toEqual([1200, 630])
    // Files of this origin alone: nothing is loaded from elsewhere.
    for (const [, url] of html.matchAll(
      /<(?:img|script|link rel="(?:stylesheet|icon|modulepreload|preload)")[^>]* (?:src|href)="([^"]+)"/g,
    ))
      expect(url, path).toMatch(/^(\/[^/]|data:)/)
  }
  expect(titles.size).toBe(publicPages.length)
  expect(titles.has('')).toBe(false)
})

test('what has no picture of its own is shared with its own title drawn', async ({
  admin,
  fresh,
}) => {
  // Regression: the server generated a picture for each item, and every head named that of the list.
  const { origin } = fresh
  for (const [kind, prefix, key, fields] of [
    ['events', '/evento/', 'id', { date: '6 marzo 2199' }],
    ['blog', '/blog/', 'slug', { slug: 'senza-immagine', content: 'Parole.' }],
  ] as const) {
    const made = await admin.request.post(`${origin}/api/admin/${kind}`, {
      headers: { origin },
      data: { title: 'Senza immagine', published: true, ...fields },
    })
    expect(made.status()).toBe(201)
    const path = `${prefix}${(await made.json())[key]}`
    const html = await textOf(admin.request, origin + path)
    const picture = `${origin}/social${path}.jpg`
    const named = meta(html, 'property', 'og:image')
    expect(named).toMatch(/\.jpg\?v=\w+$/)
    expect(named?.split('?')[0]).toBe(picture)
    expect(meta(html, 'property', 'og:image:alt')).toBe('Senza immagine')
    expect(meta(html, 'name', 'twitter:image')).toBe(named)
    expect(sizeOf(await (await admin.request.get(picture)).body())).toEqual([1200, 630])
  }
})

test('structured data say who, where one is, and what an event or an article is', async ({
  request,
  site,
}) => {
  for (const name of publicPages) {
    const path = await pathOf(name, site)
    const html = await textOf(request, site.origin + path)
    const objects = [
      ...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs),
    ].map(([, json]) => JSON.parse(json ?? ''))
    const types = objects.map((object) => object['@type'])
    const expected = ['Organization']
    if (path !== '/') expected.push('BreadcrumbList')
    // Each offer with its amount.
    if (name === '/servizi') expected.push(...Array<string>(6).fill('Service'))
    if (name === '/evento/{id}') expected.push('Event')
    if (name === '/blog/{slug}') expected.push('Article')
    expect(types, path).toEqual(expected)
    expect(objects[0].areaServed, path).toEqual(['IT', 'CH'])
    const crumbs = objects[1]?.itemListElement ?? []
    if (path !== '/') expect(crumbs.at(-1).item).toBe(site.origin + path)
    if (name === '/evento/{id}') expect(objects[2].startDate).toMatch(/^\d{4}-\d\d-\d\d/)
  }
})

test('sitemap, robots, feed, manifest and icons agree with the pages', async ({
  request,
  site,
}) => {
  const get = (path: string) => textOf(request, site.origin + path)
  const sitemap = await get('/sitemap.xml')
  for (const name of publicPages) {
    const path = await pathOf(name, site)
    expect(sitemap.includes(`<loc>${site.origin}${path}</loc>`), path).toBe(
      !unlisted.includes(path),
    )
  }
  expect(sitemap).toContain('<lastmod>')
  expect(await get('/robots.txt')).toContain(`Sitemap: ${site.origin}/sitemap.xml`)
  const feed = await get('/feed.xml')
  expect(feed).toContain(`href="${site.origin}${await pathOf('/blog/{slug}', site)}"`)
  const manifest = JSON.parse(await get('/manifest.webmanifest'))
  expect(manifest).toMatchObject({ name: italian.respiro, lang: 'it', start_url: '/' })
  const icons = manifest.icons.map((icon: { src: string }) => icon.src)
  for (const icon of [...icons, '/favicon.svg', '/favicon.ico', '/apple-touch-icon.png'])
    await get(icon)
})

test('the icon comes with the page and is a drawing', async ({ page, site }) => {
  await page.goto(site.origin)
  const icon = page.locator('link[rel="icon"][type="image/svg+xml"]')
  const width = await icon.evaluate(async (link: HTMLLinkElement) => {
    const image = new Image()
    image.src = link.href
    await image.decode()
    return link.href.startsWith('data:') && image.width
  })
  expect(width).toBeGreaterThan(0)
})
