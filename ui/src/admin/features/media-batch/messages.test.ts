import { expect, it } from 'vitest'
import { CONTENT_KINDS } from '../../api/kind-labels'
import { batchMessages } from './messages'

it('titles what comes without a title by its file', () => {
  const titled = CONTENT_KINDS.map(
    (kind) => batchMessages[kind].fileTitle?.('gruppo 1.jpg') ?? null,
  )
  expect(titled).toEqual([null, 'Foto gruppo 1.jpg', null, null, 'Evento gruppo 1'])
})
