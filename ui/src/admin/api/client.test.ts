import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  ApiError,
  asSave,
  call,
  callVersioned,
  createdBefore,
  createOnce,
  fieldErrorsOf,
  imagePathOf,
  onConfirmationRequired,
  onSessionExpired,
  reasonOf,
  setIsWriting,
  uploadFile,
} from './client'

const answer = (status: number, body: string) => new Response(body, { status })

/** A server that gives these answers, one after another, and what it was asked. */
function serve(...answers: readonly Response[]) {
  const left = [...answers]
  const asked: unknown[] = []
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    asked.push([init.method, path, init.body])
    const next = left.shift()
    return next === undefined ? Promise.reject(new TypeError('offline')) : Promise.resolve(next)
  })
  return asked
}

afterEach(() => {
  vi.unstubAllGlobals()
  onSessionExpired(() => Promise.resolve(false))
  onConfirmationRequired(() => Promise.resolve(false))
})

describe('the way to the server', () => {
  it('makes an error of the status, a colon and the body', () => {
    expect(new ApiError(404, 'niente', 'Not Found').message).toBe('404: niente')
    expect(new ApiError(404, '', 'Not Found').message).toBe('404: Not Found')
  })

  it('shows the detail of a problem, and nothing of a body that is none', () => {
    const problem = '{"title":"Errore","detail":"Spazio esaurito"}'
    expect(reasonOf(new ApiError(507, problem, ''))).toBe('Spazio esaurito')
    expect(reasonOf(new ApiError(502, '<html>', ''))).toBeNull()
    expect(reasonOf(new Error('other'))).toBeNull()
  })

  it('gives the messages of a 422 by field', () => {
    const body = '{"errors":[{"field":"title","message":"Manca"}]}'
    expect(fieldErrorsOf(new ApiError(422, body, ''))).toEqual({ title: 'Manca' })
    expect(fieldErrorsOf(new ApiError(500, 'x', ''))).toEqual({})
  })

  it('says that the connection is missing when nothing answers', async () => {
    serve()
    const error = await call('GET', '/api/admin/events').catch((caught: unknown) => caught)
    expect(reasonOf(error)).toBe('Connessione assente. Controlla la rete e riprova.')
  })

  it('sends a request again after somebody signed in again', async () => {
    const asked = serve(answer(401, ''), answer(200, '{"id":"1"}'))
    onSessionExpired(() => Promise.resolve(true))
    expect(await call('PUT', '/api/admin/events/1', { title: 'Sera' })).toEqual({ id: '1' })
    expect(asked).toHaveLength(2)
    expect(asked[1]).toEqual(asked[0])
  })

  it('sends a request again after a confirmation, and fails with the 403 without one', async () => {
    const unconfirmed = '{"type":"urn:respiro:problem:confirmation-required"}'
    let asked = serve(answer(403, unconfirmed), answer(200, '{"id":"1"}'))
    onConfirmationRequired(() => Promise.resolve(true))
    expect(await call('DELETE', '/api/admin/sessions')).toEqual({ id: '1' })
    expect(asked).toHaveLength(2)
    expect(asked[1]).toEqual(asked[0])
    asked = serve(answer(403, unconfirmed))
    onConfirmationRequired(() => Promise.resolve(false))
    await expect(call('DELETE', '/api/admin/sessions')).rejects.toMatchObject({ status: 403 })
    expect(asked).toHaveLength(1)
    // Any other 403 asks for no confirmation.
    asked = serve(answer(403, '{"type":"urn:respiro:problem:forbidden"}'))
    onConfirmationRequired(() => Promise.resolve(true))
    await expect(call('POST', '/api/admin/events')).rejects.toMatchObject({ status: 403 })
    expect(asked).toHaveLength(1)
  })

  it('counts the answer alone, not what it took somebody to sign in again', async () => {
    let now = 0
    vi.stubGlobal('performance', { now: () => now })
    serve(answer(401, ''), answer(200, '{}'))
    onSessionExpired(() => {
      now += 60_000
      return Promise.resolve(true)
    })
    const { milliseconds } = await callVersioned('PUT', '/api/admin/words', {})
    expect(milliseconds).toBe(0)
  })

  it('says whether what waits for a sign-in is going to be saved', async () => {
    const ask = vi.fn((_: boolean) => Promise.resolve(false))
    onSessionExpired(ask)
    const read = () => call('GET', '/api/admin/events/1').catch(() => null)
    const asked = async (send: () => Promise<unknown>) => {
      serve(answer(401, ''))
      await send()
      return ask.mock.lastCall?.[0]
    }
    // What was only read promised that the text would be saved, and it never was.
    expect(await asked(read)).toBe(false)
    expect(await asked(() => asSave(read))).toBe(true)
    expect(await asked(read)).toBe(false)
    const write = () => call('PUT', '/api/admin/events/1', {}).catch(() => null)
    expect(await asked(write)).toBe(true)
  })

  it('fails with the 401 when nobody signs in, and asks once only', async () => {
    const asked = serve(answer(401, ''), answer(401, ''))
    await expect(call('GET', '/api/admin/events')).rejects.toMatchObject({ status: 401 })
    expect(asked).toHaveLength(1)
  })

  it('asks nobody for a drawing once somebody chose not to sign in again', async () => {
    const draw = () => call('POST', '/api/admin/words/preview', {}, true).catch(() => 'refused')
    const ask = vi.fn(() => Promise.resolve(false))
    onSessionExpired(ask)
    for (const _ of [1, 2, 3]) {
      serve(answer(401, ''))
      expect(await draw()).toBe('refused')
    }
    // At every pause of typing the sheet came back.
    expect(ask).toHaveBeenCalledTimes(1)
    serve(answer(401, ''), answer(200, '{}'))
    ask.mockReturnValueOnce(Promise.resolve(true))
    await call('PUT', '/api/admin/words', {})
    serve(answer(401, ''))
    await draw()
    expect(ask).toHaveBeenCalledTimes(3)
  })

  it('asks for what is pressed, and not for looks at how it goes', async () => {
    const read = (isUnasked: boolean) => async () => {
      serve(answer(401, ''))
      await call('GET', '/api/admin/status', undefined, isUnasked).catch(() => null)
    }
    const [look, press] = [read(true), read(false)]
    const ask = vi.fn(() => Promise.resolve(false))
    onSessionExpired(ask)
    for (const send of [look, look, look]) await send()
    // Every second and a half the sheet came back.
    expect(ask).toHaveBeenCalledTimes(1)
    await press()
    expect(ask).toHaveBeenCalledTimes(2)
    await look()
    expect(ask).toHaveBeenCalledTimes(2)
  })

  // At a pause in a sentence the sheet came, and the next words went into the password.
  it('asks nobody who is writing, but for what is pressed', async () => {
    const send = async (isUnasked: boolean) => {
      serve(answer(401, ''))
      await call('POST', '/api/admin/words/preview', {}, isUnasked).catch(() => null)
    }
    const ask = vi.fn(() => Promise.resolve(false))
    onSessionExpired(ask)
    setIsWriting(() => true)
    await send(true)
    expect(ask).not.toHaveBeenCalled()
    await send(false)
    expect(ask).toHaveBeenCalledTimes(1)
    setIsWriting(() => false)
  })

  // Regression: the answer to a save was lost on the way, and the second press made a second entry.
  it('repeats a creation whose answer was lost with the same key, and a new one with another', async () => {
    const keys: (string | null)[] = []
    const answers: (Response | null)[] = []
    vi.stubGlobal('fetch', (_: string, init: { headers: Headers }) => {
      keys.push(init.headers.get('Idempotency-Key'))
      const next = answers.shift()
      return next ? Promise.resolve(next) : Promise.reject(new TypeError('offline'))
    })
    const create = (body: object, key?: string) =>
      createOnce('/api/admin/events', body, key).catch((error: unknown) => error)
    answers.push(null, answer(502, ''), answer(201, '{"id":"1"}'), answer(201, '{"id":"2"}'))
    const same = { title: 'Sera' }
    for (const _ of [1, 2, 3]) await create(same)
    await create(same)
    const [first, second, third, fourth] = keys
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect([second, third]).toEqual([first, first])
    expect(fourth).not.toBe(first)
    // Another text in between is another request, unless a form gives its key.
    answers.push(null, answer(422, '{}'), answer(201, '{}'))
    for (const title of ['A', 'B', 'B']) await create({ title })
    expect(new Set(keys.slice(4)).size).toBe(3)
    answers.push(null, answer(201, '{}'))
    for (const title of ['A', 'B']) await create({ title }, 'form')
    expect(keys.slice(7)).toEqual(['form', 'form'])
  })

  it('names what an earlier try with the same key created', () => {
    const problem = '{"type":"urn:respiro:problem:idempotency-key-reused","current":{"id":"7"}}'
    expect(createdBefore(new ApiError(422, problem, ''))).toBe('7')
    expect(createdBefore(new ApiError(422, '{"current":{"id":"7"}}', ''))).toBeNull()
  })

  it('does not take a wrong password at the door for an ended session', async () => {
    serve(answer(401, ''))
    const ask = vi.fn(() => Promise.resolve(true))
    onSessionExpired(ask)
    await expect(call('POST', '/api/auth/login', {})).rejects.toMatchObject({ status: 401 })
    expect(ask).not.toHaveBeenCalled()
  })

  it('takes the last segment of an upload address as the path of the picture', () => {
    expect(imagePathOf('http://127.0.0.1:8080/objects/uploads/abc?sig=1/2')).toBe(
      '/objects/uploads/abc',
    )
  })
})

describe('an upload that is cancelled', () => {
  const photograph = new File(['x'], 'a.jpg', { type: 'image/jpeg' })
  const refusal = (signal: AbortSignal) =>
    uploadFile(photograph, () => undefined, signal).catch((error: unknown) => String(error))

  // Regression: the file went up, and replaced the one that was chosen after it.
  it('sends no file when it is cancelled while it asks for its address', async () => {
    const abort = new AbortController()
    const sent: string[] = []
    vi.stubGlobal('location', { href: 'http://127.0.0.1/admin' })
    vi.stubGlobal(
      'XMLHttpRequest',
      class {
        upload = {}
        open(method: string) {
          sent.push(method)
        }
        setRequestHeader() {}
        send() {}
      },
    )
    vi.stubGlobal('fetch', () => {
      abort.abort()
      return Promise.resolve(answer(200, '{"uploadURL":"/upload/1"}'))
    })
    expect(await refusal(abort.signal)).toContain('AbortError')
    expect(sent).toEqual([])
  })

  it('asks for no address when it is cancelled before', async () => {
    const asked = serve(answer(200, '{"uploadURL":"/upload/1"}'))
    expect(await refusal(AbortSignal.abort())).toContain('AbortError')
    expect(asked).toEqual([])
  })
})
