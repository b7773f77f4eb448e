import { describe, expect, it } from 'vitest'
import { applyMark, type Mark } from './markdown-edit'

/** The text with the selection in square brackets, before and after one button. */
function press(mark: Mark, marked: string): string {
  const start = marked.indexOf('⟦')
  const end = marked.indexOf('⟧') - 1
  const result = applyMark({ text: marked.replace(/[⟦⟧]/g, ''), start, end }, mark)
  const { text } = result
  const inside = text.slice(result.start, result.end)
  return `${text.slice(0, result.start)}⟦${inside}⟧${text.slice(result.end)}`
}

describe('the toolbar of the text', () => {
  it('makes words bold and takes it back', () => {
    expect(press('bold', 'un ⟦respiro⟧ lento')).toBe('un **⟦respiro⟧** lento')
    expect(press('bold', 'un **⟦respiro⟧** lento')).toBe('un ⟦respiro⟧ lento')
  })

  it('does not take half of a bold mark for an italic one', () => {
    expect(press('italic', '**⟦respiro⟧**')).toBe('***⟦respiro⟧***')
  })

  it('puts sample words where nothing is selected', () => {
    expect(press('italic', 'ciao ⟦⟧')).toBe('ciao *⟦testo in corsivo⟧*')
  })

  it('makes every selected line part of a list', () => {
    expect(press('list', 'uno\n⟦due\ntre⟧\nquattro')).toBe('uno\n⟦- due\n- tre⟧\nquattro')
    expect(press('list', '⟦- due\n- tre⟧')).toBe('⟦due\ntre⟧')
  })

  it('numbers lines and replaces the numbers they had', () => {
    expect(press('numbers', '⟦uno\n7. due⟧')).toBe('⟦1. uno\n2. due⟧')
  })

  it('makes the line of the cursor a heading', () => {
    expect(press('heading', 'primo\nse⟦⟧condo')).toBe('primo\n⟦# secondo⟧')
    expect(press('heading', '⟦## primo⟧')).toBe('⟦primo⟧')
  })

  it('leaves the address of a link selected', () => {
    expect(press('link', 'vedi ⟦qui⟧')).toBe('vedi [qui](⟦https://⟧)')
  })
})
