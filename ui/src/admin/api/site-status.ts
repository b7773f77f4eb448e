// How the site is doing, as the server tells it.
import { create } from 'zustand'
import { call } from './client'

export type SiteStatus = {
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
  readonly copies: OffsiteBackupState | null
  readonly mirror: MirrorState | null
  readonly cdn: CdnState | null
  /** The data file was a copy, and nobody has said yet that what this means was looked after. */
  readonly restored: RestoreReport | null
  readonly storage: 'ok' | 'full' | 'readOnly'
  readonly missingSettings: readonly string[]
  /** Statements that speak of her, which she has not found true yet. */
  readonly wordsToConfirm: number
  readonly unreadNotices: number
}

/** How copying to another place stands. */
export type OffsiteBackupState = {
  readonly place: string
  readonly ok: boolean
  readonly isLate: boolean
  /** One was asked for or is under way. */
  readonly isSending: boolean
  /** Of one that is under way, how far it is. */
  readonly parts: { readonly there: number; readonly all: number } | null
  /** What lay there after the last whole copy. */
  readonly bytes: number | null
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

/** How a cache in front was told of what is published. */
export type CdnState = {
  readonly isTelling: boolean
  /** Why it did not hear; null when it did. */
  readonly reason: string | null
}

export type RestoreReport = {
  readonly copiedAt: string
  /** Newsletters that were on their way or planned in the copy. */
  readonly endedSendings: number
}

type StatusStore = {
  readonly status: SiteStatus | null
  /** The steps of the first start are on the screen. */
  readonly stepsOpen: boolean
  /** `isUnasked` where nobody pressed for it. */
  readonly load: (isUnasked?: boolean) => Promise<void>
}

export const useSiteStatus = create<StatusStore>((set) => ({
  status: null,
  stepsOpen: false,
  load: async (isUnasked = false) => {
    try {
      set({ status: await call<SiteStatus>('GET', '/api/admin/status', undefined, isUnasked) })
    } catch {
      // What was known of the site stays; nothing waits for this.
    }
  },
}))
