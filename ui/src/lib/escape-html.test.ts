import { describe, expect, it } from 'vitest'
import { escapeHtml, scriptJson, shorten, shortenLines } from './escape-html'

describe('escapeHtml', () => {
  it('leaves nothing that could end an attribute or open a tag', () => {
    expect(escapeHtml(`<b a="1" c='2'>&</b>`)).toBe(
      '&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;&lt;/b&gt;',
    )
  })
})

describe('scriptJson', () => {
  it('cannot end the script it stands in, and reads back the same', () => {
    const value = { text: '</script><!-- \u2028\u2029 & "' }
    expect(scriptJson(value)).not.toMatch(/[<\u2028\u2029]/)
    expect(JSON.parse(scriptJson(value))).toEqual(value)
  })
})

describe('shorten', () => {
  it('keeps a short text and makes one line of it', () => {
    expect(shorten(' uno\n due ', 20)).toBe('uno due')
  })

  it('cuts between words and stays within the limit', () => {
    const short = shorten('Respirare bene, per vivere meglio ogni giorno', 20)
    expect(short).toBe('Respirare bene...')
    expect(shorten('x'.repeat(400), 155).length).toBeLessThanOrEqual(155)
  })
})

describe('shortenLines', () => {
  it('keeps the lines that were typed, without empty ones', () => {
    expect(shortenLines(' Prima  riga\n Seconda riga \n\n\nTerzo capoverso')).toBe(
      'Prima riga\nSeconda riga\nTerzo capoverso',
    )
  })

  it('takes no more of them than a card, and says that there are more', () => {
    expect(shortenLines('a\n'.repeat(40), 200)).toBe(`${'a\n'.repeat(5)}a...`)
    expect(shortenLines('uno due\ntre quattro', 16)).toBe('uno due\ntre...')
  })
})
