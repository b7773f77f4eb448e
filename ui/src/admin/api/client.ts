// HTTP client of the panel: JSON requests, problem responses as errors, replay after a new sign-in or
// a confirmation.
import type { ProblemCode } from '../../kinds/kinds.gen'
import { words } from '../ui/messages'
import { cacheFile } from './upload-cache'

/** The fields of an RFC 9457 problem that the panel reads. */
export type Problem = {
  type?: string
  title?: string
  detail?: string
  errors?: readonly { field: string; message: string }[]
  current?: { readonly id?: string }
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

/** Message to show under a toast's title; null when there is nothing to add. */
export function reasonOf(error: unknown): string | null {
  if (error instanceof ApiError) {
    return error.status === 0
      ? words.network
      : (error.problem.detail ?? error.problem.title ?? null)
  }
  return null
}

/** Validation messages of a 422, by field. */
export function fieldErrorsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {}
  const pairs = (error.problem.errors ?? []).map(({ field, message }) => [field, message] as const)
  return Object.fromEntries(pairs)
}

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status
}

/** Whether the error carries this problem code. */
export function isProblem(error: unknown, code: ProblemCode): boolean {
  return error instanceof ApiError && error.problem.type === `urn:respiro:problem:${code}`
}

/** Called on a 401; resolves to true after a new sign-in. */
let signInAgain: (saves: boolean) => Promise<boolean> = () => Promise.resolve(false)
/** The user dismissed the sign-in dialog: background requests do not open it again. */
let declined = false

/** `saves`: signing in will complete a write. */
export function onSessionExpired(ask: (saves: boolean) => Promise<boolean>): void {
  signInAgain = ask
  declined = false
}

/** Called on a `confirmation-required`; resolves to true once the user has confirmed. */
let confirmIdentity: () => Promise<boolean> = () => Promise.resolve(false)

export function onConfirmationRequired(ask: () => Promise<boolean>): void {
  confirmIdentity = ask
}

/** Whether a text field has the focus. */
let isWriting: () => boolean = () => false

export function setIsWriting(writes: () => boolean): void {
  isWriting = writes
}

let saving = 0

/**
 * Marks requests during `save` as part of a write: a save begins with a read, which can meet the
 * 401.
 */
export function asSave<Answer>(save: () => Promise<Answer>): Promise<Answer> {
  saving += 1
  return save().finally(() => {
    saving -= 1
  })
}

/** Called after each successful write, to dismiss toasts about earlier failures. */
let written: () => void = () => undefined

export function onWritten(tell: () => void): void {
  written = tell
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Sends a request. A 401 under `/api/admin/` opens the sign-in dialog and then repeats the request;
 * so does a `confirmation-required` with the confirmation dialog.
 * `isUnasked` marks a background request: it does not open the dialog after the user dismissed it,
 * nor while a text field has the focus, because the next keystrokes would go into the password
 * field.
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
  /** Version of the resource, for the next `ifMatch`. */
  readonly tag: string | null
  /** Duration of the request without the time spent in the dialogs of sign-in and confirmation. */
  readonly milliseconds: number
}

/** Like `call`; with `ifMatch` the server refuses to change a newer version. */
export async function callVersioned<Answer>(
  method: Method,
  path: string,
  body?: object | Blob,
  ifMatch: string | null = null,
  isUnasked = false,
): Promise<Versioned<Answer>> {
  const headers = ifMatch === null ? {} : { 'If-Match': ifMatch }
  const { answer, ...rest } = await textOf(method, path, body, headers, isUnasked)
  return { answer: (answer === '' ? null : JSON.parse(answer)) as Answer, ...rest }
}

/** A key for one creation: the same request sent again with it creates nothing. */
export function newCreationKey(): string {
  // `randomUUID` exists over HTTPS only.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Keys of creations whose answer was lost, by request: the next try is the same request. */
const unanswered = new Map<string, string>()
const UNANSWERED_MAX = 20

/**
 * Creates something, once: after a lost answer the same request gets what the first one created.
 * `key` belongs to a form, whose text may change between two tries.
 */
export async function createOnce<Answer>(
  path: string,
  body?: object,
  key: string | null = null,
): Promise<Answer> {
  const request = `${path} ${JSON.stringify(body ?? null)}`
  const used = key ?? unanswered.get(request) ?? newCreationKey()
  const headers = { 'Idempotency-Key': used }
  try {
    const { answer } = await textOf('POST', path, body, headers, false)
    unanswered.delete(request)
    return JSON.parse(answer) as Answer
  } catch (error) {
    const isAnswered = error instanceof ApiError && error.status > 0 && error.status < 500
    if (isAnswered || unanswered.size >= UNANSWERED_MAX) unanswered.delete(request)
    else if (key === null) unanswered.set(request, used)
    throw error
  }
}

/** Id of what an earlier try with the same key created from another body; null for other errors. */
export function createdBefore(error: unknown): string | null {
  if (!isProblem(error, 'idempotency-key-reused')) return null
  return (error as ApiError).problem.current?.id ?? null
}

/** Like `call`, for responses that are not JSON. */
export async function callText(
  method: Method,
  path: string,
  body?: object,
  isUnasked = false,
): Promise<string> {
  return (await textOf(method, path, body, {}, isUnasked)).answer
}

type RequestHeaders = Readonly<Record<string, string>>

async function textOf(
  method: Method,
  path: string,
  body: object | Blob | undefined,
  headers: RequestHeaders,
  isUnasked: boolean,
): Promise<Versioned<string>> {
  let began = performance.now()
  let response = await send(method, path, body, headers)
  const writes = method !== 'GET' && !ASKS.test(path)
  if (response.status === 401 && guarded(path) && !(isUnasked && (declined || isWriting()))) {
    declined = !(await signInAgain(saving > 0 || writes))
    began = performance.now()
    if (!declined) response = await send(method, path, body, headers)
  }
  let answer = await response.text()
  let error = errorOf(response, answer)
  if (isProblem(error, 'confirmation-required') && (await confirmIdentity())) {
    began = performance.now()
    response = await send(method, path, body, headers)
    answer = await response.text()
    error = errorOf(response, answer)
  }
  if (error !== null) throw error
  if (writes) written()
  // Proxies that compress make the tag weak; it names the same version.
  const tag = response.headers.get('ETag')?.replace(/^W\//, '') ?? null
  return { answer, tag, milliseconds: performance.now() - began }
}

function errorOf(response: Response, answer: string): ApiError | null {
  return response.ok ? null : new ApiError(response.status, answer, response.statusText)
}

/** POST requests that change nothing. */
const ASKS = /\/(understand-\w+|preview|auth\/confirm)$/

function guarded(path: string): boolean {
  return path.startsWith('/api/admin/') || path === '/api/auth/confirm'
}

async function send(
  method: Method,
  path: string,
  body: object | Blob | undefined,
  own: RequestHeaders,
): Promise<Response> {
  const init: RequestInit = { method, credentials: 'include', cache: 'no-store' }
  const headers = new Headers(own)
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

/**
 * Path under which an uploaded image is served: the last segment of the upload URL, without the
 * query.
 */
export function imagePathOf(uploadUrl: string): string {
  const path = uploadUrl.split(/[?#]/, 1)[0] ?? ''
  return `/objects/uploads/${path.slice(path.lastIndexOf('/') + 1)}`
}

/**
 * Uploads a file to a new upload URL; resolves to the path of the stored image. `onNotice` receives
 * what the site does not show of it, such as the motion of an animation.
 */
export async function uploadFile(
  file: File,
  onPercent: (percent: number) => void,
  signal: AbortSignal,
  onNotice: (notice: string) => void = () => undefined,
): Promise<string> {
  signal.throwIfAborted()
  const { uploadURL } = await call<{ uploadURL: string }>('POST', '/api/admin/upload')
  // An abort while the address is requested has no listener yet.
  signal.throwIfAborted()
  const address = new URL(uploadURL, location.href)
  const answer = await putFile(address.pathname + address.search, file, onPercent, signal)
  signal.throwIfAborted()
  const { notice } = JSON.parse(answer) as { notice?: string | null }
  if (typeof notice === 'string') onNotice(notice)
  const path = imagePathOf(uploadURL)
  void cacheFile(path, file)
  return path
}

/** XMLHttpRequest, because fetch does not report how much of a body has been sent. */
function putFile(
  path: string,
  file: File,
  onPercent: (percent: number) => void,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', path)
    request.setRequestHeader('Content-Type', file.type === '' ? 'image/jpeg' : file.type)
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onPercent(Math.floor((event.loaded / event.total) * 100))
    }
    request.onload = () => {
      const { status, responseText, statusText } = request
      if (status >= 200 && status < 300) resolve(responseText)
      else reject(new ApiError(status, responseText, statusText))
    }
    request.onerror = () => reject(new ApiError(0, '', words.network))
    request.onabort = () => reject(new DOMException('upload cancelled', 'AbortError'))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}
