import { describe, expect, it } from 'vitest'
import { isHeic, sizeText, tooLargeText, withoutExtension } from './file-check'

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

describe('the check of a chosen file', () => {
  it('knows an iPhone picture by its bytes', () => {
    expect(isHeic(bytes('\0\0\0\x18ftypheic\0\0\0\0mif1heic'))).toBe(true)
    expect(isHeic(bytes('\0\0\0\x18ftypmif1\0\0\0\0mif1heic'))).toBe(true)
  })

  it('does not take an AVIF or a JPEG for one', () => {
    expect(isHeic(bytes('\0\0\0\x1cftypmif1\0\0\0\0avifmif1'))).toBe(false)
    expect(isHeic(bytes('\0\0\0\x1cftypavif\0\0\0\0mif1'))).toBe(false)
    expect(isHeic(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0))).toBe(false)
    expect(isHeic(new Uint8Array())).toBe(false)
  })

  it('names the oversize file with the words of the alert', () => {
    expect(tooLargeText('a.png')).toBe('File a.png troppo grande. Massimo 10MB')
  })

  it('writes sizes with a comma', () => {
    expect(sizeText(2_516_582)).toBe('2,4 MB')
    expect(sizeText(900)).toBe('900 B')
    expect(sizeText(20_480)).toBe('20 KB')
  })

  it('takes only the last extension off a name', () => {
    expect(withoutExtension('mani.sul.petto.jpg')).toBe('mani.sul.petto')
    expect(withoutExtension('senza')).toBe('senza')
  })
})
