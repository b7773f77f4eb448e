// Session of the panel, and the sign-in dialog when it expires during use.
import { create } from 'zustand'
import {
  call,
  isProblem,
  isStatus,
  onConfirmationRequired,
  onSessionExpired,
  setIsWriting,
} from '../api/client'
import { signInWithPasskey } from './passkey'

export type Role = 'owner' | 'editor'

export type Session = {
  readonly email: string
  readonly role: Role
  readonly secondFactor: boolean
}

type Phase = 'checking' | 'unreachable' | 'signedOut' | 'setUp' | 'setUpUsed' | 'link' | 'signedIn'

type SessionStore = {
  readonly phase: Phase
  readonly session: Session | null
  /** One-time token of the first account, from `#setup=TOKEN`. */
  readonly setUpToken: string | null
  /** One-time token of an e-mail, from `#link=TOKEN`. */
  readonly linkToken: string | null
  /** True while requests wait for a new sign-in. */
  readonly expired: boolean
  /** One of the waiting requests writes, so that signing in will save something. */
  readonly saves: boolean
  /** True while requests wait until the user confirms the password or a passkey. */
  readonly isConfirming: boolean
  readonly notice: string | null
  /** The first account was created during this visit. */
  readonly isNew: boolean
  readonly check: () => Promise<void>
  readonly signIn: (email: string, password: string, code: string) => Promise<void>
  readonly signInWithPasskey: () => Promise<void>
  readonly createAccount: (email: string, password: string) => Promise<void>
  /**
   * After any sign-in: loads the session and resumes the waiting requests. Reloads the page for another account, because
   * lists, forms and drafts in memory are those of the former one.
   */
  readonly enter: () => Promise<void>
  readonly signOut: (notice: string) => Promise<void>
  /** Leaves the screen of a one-time link, and takes the token out of the address. */
  readonly leaveLink: (notice: string | null) => Promise<void>
  readonly giveUp: () => void
  /** Resumes the requests that wait for the confirmation dialog. */
  readonly endConfirmation: (isConfirmed: boolean) => void
  readonly patch: (session: Partial<Session>) => void
}

/** Signed in last since the page was loaded. */
let account: string | null = null
/** The fragment of the panel's home. */
const HOME = '#/casa'

/** Requests that wait for the confirmation dialog. */
let unconfirmed: ((isConfirmed: boolean) => void)[] = []

/** Requests that wait for the sign-in dialog. */
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
  linkToken: null,
  expired: false,
  saves: false,
  isConfirming: false,
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
    const linkToken = linkTokenOf(location.hash)
    if (linkToken !== null) {
      set({ phase: 'link', linkToken })
      return
    }
    set({ phase: 'checking' })
    try {
      const session = await call<Session>('GET', '/api/auth/session')
      account = session.email
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
    if (account !== null && session.email !== account) {
      location.reload()
      return
    }
    account = session.email
    // An address that names a place leads there; a sign-in without one leads home.
    if (get().phase === 'signedOut' && /^#?\/?$/.test(location.hash)) {
      history.replaceState(history.state, '', HOME)
    }
    set({ phase: 'signedIn', session, expired: false, saves: false, notice: null })
    answerWaiting(true)
  },

  createAccount: async (email, password) => {
    try {
      await call('POST', '/api/auth/setup', { token: get().setUpToken ?? '', email, password })
    } catch (error) {
      // The link was used meanwhile, perhaps in another tab: update the screen.
      if (isStatus(error, 403)) await get().check()
      throw error
    }
    history.replaceState(null, '', location.pathname + HOME)
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

  leaveLink: async (notice) => {
    history.replaceState(null, '', location.pathname)
    set({ linkToken: null, notice })
    await get().check()
  },

  giveUp: () => {
    set({ expired: false, saves: false })
    answerWaiting(false)
  },

  endConfirmation: (isConfirmed) => {
    set({ isConfirming: false })
    const all = unconfirmed
    unconfirmed = []
    for (const resume of all) resume(isConfirmed)
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

onConfirmationRequired(
  () =>
    new Promise((resolve) => {
      unconfirmed.push(resolve)
      useSession.setState({ isConfirming: true })
    }),
)

setIsWriting(() => {
  let active = document.activeElement
  // The edited page is in an iframe.
  if (active instanceof HTMLIFrameElement) active = active.contentDocument?.activeElement ?? null
  return active?.matches('input, textarea, [contenteditable]:not([contenteditable=false])') === true
})

export function setUpTokenOf(hash: string): string | null {
  const token = /^#setup=(.+)$/.exec(hash)?.[1]
  return token === undefined ? null : decodeURIComponent(token)
}

export function linkTokenOf(hash: string): string | null {
  return /^#link=([a-z0-9]+)$/.exec(hash)?.[1] ?? null
}

/** Whether the signed-in account may do everything. */
export function useIsOwner(): boolean {
  return useSession((store) => store.session?.role !== 'editor')
}

/** Whether the server asks for the second factor's code. */
export function needsSecondFactor(error: unknown): boolean {
  return isProblem(error, 'second-factor-required')
}
