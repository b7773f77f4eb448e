// Who is signed in, and the question asked when a session ends under somebody's hands.
import { create } from 'zustand'
import { call, isProblem, isStatus, onSessionExpired, setIsWriting } from '../api/client'
import { signInWithPasskey } from './passkey'

export type Session = { readonly email: string; readonly secondFactor: boolean }

type Phase = 'checking' | 'unreachable' | 'signedOut' | 'setUp' | 'setUpUsed' | 'signedIn'

type SessionStore = {
  readonly phase: Phase
  readonly session: Session | null
  /** One-time token of the first account, from `#setup=TOKEN`. */
  readonly setUpToken: string | null
  /** Set while a request waits for somebody to sign in again. */
  readonly expired: boolean
  /** One of those that wait writes: what was only read on the way saves nothing afterwards. */
  readonly saves: boolean
  readonly notice: string | null
  /** The first account was made on this very page. */
  readonly isNew: boolean
  readonly check: () => Promise<void>
  readonly signIn: (email: string, password: string, code: string) => Promise<void>
  readonly signInWithPasskey: () => Promise<void>
  readonly createAccount: (email: string, password: string) => Promise<void>
  /** After a sign-in of either sort: who it is, and on with what waited. */
  readonly enter: () => Promise<void>
  readonly signOut: (notice: string) => Promise<void>
  readonly giveUp: () => void
  readonly patch: (session: Partial<Session>) => void
}

/** Requests that wait for the answer of the sign-in sheet. */
let waiting: ((signedIn: boolean) => void)[] = []

function answerWaiting(signedIn: boolean): void {
  const all = waiting
  waiting = []
  for (const answer of all) answer(signedIn)
}

export const useSession = create<SessionStore>((set, get) => ({
  phase: 'checking',
  session: null,
  setUpToken: null,
  expired: false,
  saves: false,
  notice: null,
  isNew: false,

  check: async () => {
    const token = setUpTokenOf(location.hash)
    if (token !== null) {
      const { open } = await call<{ open: boolean }>('GET', '/api/auth/setup').catch(() => ({
        open: true,
      }))
      set({ phase: open ? 'setUp' : 'setUpUsed', setUpToken: token })
      return
    }
    set({ phase: 'checking' })
    try {
      const session = await call<Session>('GET', '/api/auth/session')
      set({
        phase: 'signedIn',
        session: { ...session, secondFactor: session.secondFactor === true },
      })
    } catch (error) {
      set({ phase: isStatus(error, 401) ? 'signedOut' : 'unreachable' })
    }
  },

  signIn: async (email, password, code) => {
    const second = code === '' ? {} : { code }
    await call('POST', '/api/auth/login', { email, password, ...second })
    await get().enter()
  },

  signInWithPasskey: async () => {
    await signInWithPasskey()
    await get().enter()
  },

  enter: async () => {
    const session = await call<Session>('GET', '/api/auth/session')
    set({ phase: 'signedIn', session, expired: false, saves: false, notice: null })
    answerWaiting(true)
  },

  createAccount: async (email, password) => {
    try {
      await call('POST', '/api/auth/setup', { token: get().setUpToken ?? '', email, password })
    } catch (error) {
      // Used meanwhile, perhaps in another tab: then the screen says so.
      if (isStatus(error, 403)) await get().check()
      throw error
    }
    history.replaceState(null, '', location.pathname)
    set({ setUpToken: null, isNew: true })
    await get().check()
    if (get().phase === 'signedOut') await get().signIn(email, password, '')
  },

  signOut: async (notice) => {
    try {
      await call('POST', '/api/auth/logout')
    } catch (error) {
      if (!isStatus(error, 401)) throw error
    }
    set({ phase: 'signedOut', session: null, notice })
  },

  giveUp: () => {
    set({ expired: false, saves: false })
    answerWaiting(false)
  },

  patch: (fields) => {
    const { session } = get()
    if (session !== null) set({ session: { ...session, ...fields } })
  },
}))

onSessionExpired(
  (saves) =>
    new Promise((resolve) => {
      waiting.push(resolve)
      useSession.setState((before) => ({ expired: true, saves: before.saves || saves }))
    }),
)

setIsWriting(() => {
  let active = document.activeElement
  // A page that is edited lies in a frame.
  if (active instanceof HTMLIFrameElement) active = active.contentDocument?.activeElement ?? null
  return active?.matches('input, textarea, [contenteditable]:not([contenteditable=false])') === true
})

export function setUpTokenOf(hash: string): string | null {
  const token = /^#setup=(.+)$/.exec(hash)?.[1]
  return token === undefined ? null : decodeURIComponent(token)
}

/** Whether the server wants the second factor's code beside the password. */
export function needsSecondFactor(error: unknown): boolean {
  return isProblem(error, 'second-factor-required')
}
