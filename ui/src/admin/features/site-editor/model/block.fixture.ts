// A block for tests, as the server returns it while it is unchanged.
import type { Block, Field, ObjectValue } from '../api/content-api'

export function blockOf(fields: readonly Field[], value: ObjectValue): Block {
  return {
    id: 'x.y',
    label: 'Blocco',
    pages: ['/servizi'],
    fields,
    value,
    default: value,
    changed: false,
    hideable: true,
    toConfirm: false,
    asked: [],
    statements: 0,
    confirmed: true,
    hidden: false,
    updatedAt: null,
    version: '1',
  }
}

/** A list field whose entries have a name. */
export function namesField(name: string): Field {
  const fields: readonly Field[] = [{ name: 'name', label: 'Nome', type: 'line' }]
  return { name, label: 'Voci', type: 'list', fields }
}
