// The panel's one way to the server: JSON in and out, `STATUS: BODY` errors, and a replay after signing in again.
import type { ProblemCode } from '../../kinds/kinds.gen'
import { words } from '../ui/messages'
import { cacheFile } from './upload-cache'

/** RFC 9457 problem, as far as the panel reads it. */
export type Problem = {
  type?: string
  title?: string
  detail?: string
  errors?: readonly { field: string; message: string }[]
}

export class ApiError extends Error {
  readonly status: number
  readonly problem: Problem

  constructor(status: number, body: string, statusText: string) {
    super(`${status}: ${body === '' ? statusText : body}`)
    this.name = 'ApiError'
    this.status = status
    this.problem = readProblem(body)
  }
}

function readProblem(body: string): Problem {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? (value as Problem) : {}
  } catch {
    return {}
  }
}

/** Why it failed, fit to show under a toast's title; null when there is nothing to add. */
export function reasonOf(error: unknown): string | null {
  if (error instanceof ApiError) {
    return error.status === 0
      ? words.network
      : (error.problem.detail ?? error.problem.title ?? null)
  }
  return null
}

/** Messages by field name, from a 422. */
export function fieldErrorsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {}
  const pairs = (error.problem.errors ?? []).map(({ field, message }) => [field, message] as const)
  return Object.fromEntries(pairs)
}

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status
}

/** Whether the server refused with this code of its one table. */
export function isProblem(error: unknown, code: ProblemCode): boolean {
  return error instanceof ApiError && error.problem.type === `urn:respiro:problem:${code}`
}

/** Asked when a session has ended under a request; true when somebody signed in again. */
let signInAgain: (saves: boolean) => Promise<boolean> = () => Promise.resolve(false)
/** Somebody chose not to: what nobody pressed for asks no more. */
let declined = false

/** `saves`: what waits would be written once somebody is there again. */
export function onSessionExpired(ask: (saves: boolean) => Promise<boolean>): void {
  signInAgain = ask
  declined = false
}

/** Whether the focus is where one writes. */
let isWriting: () => boolean = () => false

export function setIsWriting(writes: () => boolean): void {
  isWriting = writes
}

let saving = 0

/** Saving reads first: already there it is a save that waits for somebody to sign in again. */
export function asSave<Answer>(save: () => Promise<Answer>): Promise<Answer> {
  saving += 1
  return save().finally(() => {
    saving -= 1
  })
}

/** Told after each write that was done: what failed before it is no news any more. */
let written: () => void = () => undefined

export function onWritten(tell: () => void): void {
  written = tell
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Sends one request. A 401 under `/api/admin/` asks to sign in, then sends the same request once more;
 * `isUnasked` is one that nobody pressed for: it asks no more where somebody chose not to, nor while
 * somebody writes, whose next words went into the password.
 */
export async function call<Answer>(
  method: Method,
  path: string,
  body?: object | Blob,
  isUnasked = false,
): Promise<Answer> {
  return (await callVersioned<Answer>(method, path, body, null, isUnasked)).answer
}

export type Versioned<Answer> = {
  readonly answer: Answer
  /** The version it is, to name in the next `ifMatch`. */
  readonly tag: string | null
  /** What the answer took, without the time that somebody needed to sign in again. */
  readonly milliseconds: number
}

/** As `call`; `ifMatch` lets the server refuse a change of something that has changed meanwhile. */
export async function callVersioned<Answer>(
  method: Method,
  path: string,
  body?: object | Blob,
  ifMatch: string | null = null,
  isUnasked = false,
): Promise<Versioned<Answer>> {
  const { answer, ...rest } = await textOf(method, path, body, ifMatch, isUnasked)
  return { answer: (answer === '' ? null : JSON.parse(answer)) as Answer, ...rest }
}

/** As `call`, where the answer is no JSON. */
export async function callText(
  method: Method,
  path: string,
  body?: object,
  isUnasked = false,
): Promise<string> {
  return (await textOf(method, path, body, null, isUnasked)).answer
}

async function textOf(
  method: Method,
  path: string,
  body: object | Blob | undefined,
  ifMatch: string | null,
  isUnasked: boolean,
): Promise<Versioned<string>> {
  let began = performance.now()
  let response = await send(method, path, body, ifMatch)
  const writes = method !== 'GET' && !ASKS.test(path)
  if (response.status === 401 && guarded(path) && !(isUnasked && (declined || isWriting()))) {
    declined = !(await signInAgain(saving > 0 || writes))
    began = performance.now()
    if (!declined) response = await send(method, path, body, ifMatch)
  }
  const answer = await response.text()
  if (!response.ok) throw new ApiError(response.status, answer, response.statusText)
  if (writes) written()
  // Some proxies that compress call the tag weak; what it names stays the same.
  const tag = response.headers.get('ETag')?.replace(/^W\//, '') ?? null
  return { answer, tag, milliseconds: performance.now() - began }
}

/** Posts that only ask something. */
const ASKS = /\/(understand-\w+|preview)$/

function guarded(path: string): boolean {
  return path.startsWith('/api/admin/')
}

async function send(
  method: Method,
  path: string,
  body: object | Blob | undefined,
  ifMatch: string | null,
): Promise<Response> {
  const init: RequestInit = { method, credentials: 'include', cache: 'no-store' }
  const headers = new Headers()
  if (ifMatch !== null) headers.set('If-Match', ifMatch)
  if (body instanceof Blob) {
    init.body = body
  } else if (body !== undefined) {
    init.body = JSON.stringify(body)
    headers.set('Content-Type', 'application/json')
  }
  init.headers = headers
  try {
    return await fetch(path, init)
  } catch {
    throw new ApiError(0, '', words.network)
  }
}

/** The path under which a finished upload is served: last segment of its address, without the query. */
export function imagePathOf(uploadUrl: string): string {
  const path = uploadUrl.split(/[?#]/, 1)[0] ?? ''
  return `/objects/uploads/${path.slice(path.lastIndexOf('/') + 1)}`
}

/** Sends a file to a fresh upload address; resolves to the path of the stored picture. */
export async function uploadFile(
  file: File,
  onPercent: (percent: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const { uploadURL } = await call<{ uploadURL: string }>('POST', '/api/admin/upload')
  const address = new URL(uploadURL, location.href)
  await put(address.pathname + address.search, file, onPercent, signal)
  const path = imagePathOf(uploadURL)
  void cacheFile(path, file)
  return path
}

/** XMLHttpRequest, because fetch does not report how much of a body has been sent. */
function put(
  path: string,
  file: File,
  onPercent: (percent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', path)
    request.setRequestHeader('Content-Type', file.type === '' ? 'image/jpeg' : file.type)
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onPercent(Math.floor((event.loaded / event.total) * 100))
    }
    request.onload = () => {
      const { status, responseText, statusText } = request
      if (status >= 200 && status < 300) resolve()
      else reject(new ApiError(status, responseText, statusText))
    }
    request.onerror = () => reject(new ApiError(0, '', words.network))
    request.onabort = () => reject(new DOMException('upload cancelled', 'AbortError'))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}
