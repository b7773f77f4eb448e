// How the site is doing, as the server tells it.
import { create } from 'zustand'
import { call } from '../api'

export type Status = {
  readonly version: string
  readonly demo: boolean
  readonly publish: {
    readonly ok: boolean
    readonly at: string | null
    readonly error: string | null
  }
  readonly data: {
    readonly bytes: number
    readonly pictures: number
    readonly pictureBytes: number
  }
  readonly backup: { readonly at: string; readonly ok: boolean; readonly detail: string } | null
  readonly copies: CopiesState | null
  readonly mirror: MirrorState | null
  readonly storage: 'ok' | 'full' | 'readOnly'
  readonly missingSettings: readonly string[]
  /** Passages that speak of her, which she has not found true yet. */
  readonly wordsToConfirm: number
  readonly unreadNotices: number
}

/** How copying to another place stands. */
export type CopiesState = {
  readonly place: string
  readonly ok: boolean
  readonly isLate: boolean
  /** One was asked for or is under way. */
  readonly isSending: boolean
  readonly wholeAt: string | null
  readonly changesAt: string | null
  readonly reason: string | null
}

/** How the bucket of plain files stands. */
export type MirrorState = {
  readonly place: string
  readonly ok: boolean
  readonly syncedAt: string | null
  readonly reason: string | null
}

type StatusStore = {
  readonly status: Status | null
  /** The steps of the first start are on the screen. */
  readonly stepsOpen: boolean
  readonly load: () => Promise<void>
}

export const useStatus = create<StatusStore>((set) => ({
  status: null,
  stepsOpen: false,
  load: async () => {
    try {
      set({ status: await call<Status>('GET', '/api/admin/status') })
    } catch {
      // What was known of the site stays; nothing waits for this.
    }
  },
}))
