import { describe, expect, it } from 'vitest'
import {
  type DraftStorage,
  draftKey,
  faultsOf,
  fieldsWith,
  forgetDraft,
  keepDraft,
  readDraft,
} from './testimonial-form-state'

const path = '/testimonianza/abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrst'
const written = { name: 'Marta', profession: '', rating: '4', text: 'Una riga\nun’altra' }

function shelf(): DraftStorage & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  }
}

const refusing: DraftStorage = {
  getItem: () => {
    throw new Error('no storage')
  },
  setItem: () => {
    throw new Error('no storage')
  },
  removeItem: () => {
    throw new Error('no storage')
  },
}

describe('a draft', () => {
  it('comes back as it was kept, for its own link only', () => {
    const device = shelf()
    expect(keepDraft(device, path, written)).toBe(true)
    expect(readDraft(device, path)).toEqual(written)
    expect(readDraft(device, '/testimonianza/another')).toBeNull()
  })

  it('is forgotten when nothing is left in it, and when it was sent', () => {
    const device = shelf()
    keepDraft(device, path, written)
    keepDraft(device, path, { name: ' ', profession: '', rating: '', text: '' })
    expect(device.kept.size).toBe(0)
    keepDraft(device, path, written)
    forgetDraft(device, path)
    expect(device.kept.size).toBe(0)
  })

  it('does not write the link itself on the device', () => {
    const device = shelf()
    keepDraft(device, path, written)
    expect([...device.kept.keys()].join()).not.toContain(path.slice(15, 40))
  })

  it('is none where somebody else has written, or where nothing can be kept', () => {
    const device = shelf()
    device.kept.set(draftKey(path), '{"name":3}')
    expect(readDraft(device, path)).toBeNull()
    device.kept.set(draftKey(path), 'nonsense')
    expect(readDraft(device, path)).toBeNull()
    expect(keepDraft(refusing, path, written)).toBe(false)
    expect(readDraft(refusing, path)).toBeNull()
    expect(keepDraft(null, path, written)).toBe(false)
  })
})

it('two faults of one field are one thing to mend', () => {
  expect(fieldsWith(['bodyLong', 'link', 'consent'])).toEqual(['text', 'consent'])
  expect(faultsOf('text', ['bodyLong', 'link', 'consent'])).toEqual(['bodyLong', 'link'])
})
