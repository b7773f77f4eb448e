// Status of the site, as reported by the server.
import { create } from 'zustand'
import { call } from './client'

export type SiteStatus = {
  readonly version: string
  readonly demo: boolean
  /** Visitors see a message instead of the site. */
  readonly asleep: boolean
  /** Number of examples that the admin has not changed. */
  readonly examples: number
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
  /** Set after a restore from a backup until the admin dismisses the report. */
  readonly restored: RestoreReport | null
  readonly storage: 'ok' | 'full' | 'readOnly'
  /** Set while the server does not trust its clock. */
  readonly clock: ClockDoubt | null
  readonly missingSettings: readonly string[]
  /** Claims about the practitioner that she has not confirmed yet. */
  readonly wordsToConfirm: number
  readonly unreadNotices: number
  /** A version that the operator announced and that is newer than the running one. */
  readonly newerRelease: string | null
  /** Testimonials that arrived by a personal link and were not read yet. */
  readonly newTestimonials: number
}

export type ClockDoubt = {
  readonly systemTime: string
  /** The time by all that the server knows. */
  readonly plausibleTime: string
}

/** State of the off-site backups. */
export type OffsiteBackupState = {
  readonly place: string
  readonly ok: boolean
  readonly isLate: boolean
  /** A backup is requested or running. */
  readonly isSending: boolean
  /** Progress of a running backup. */
  readonly parts: { readonly there: number; readonly all: number } | null
  /** Stored size after the last complete backup. */
  readonly bytes: number | null
  readonly wholeAt: string | null
  readonly changesAt: string | null
  readonly reason: string | null
}

/** State of the S3 mirror. */
export type MirrorState = {
  readonly place: string
  readonly ok: boolean
  readonly syncedAt: string | null
  readonly reason: string | null
}

/** State of the CDN purge. */
export type CdnState = {
  readonly isTelling: boolean
  /** Error of the last purge; null after a success. */
  readonly reason: string | null
}

export type RestoreReport = {
  readonly copiedAt: string
  /** Newsletter campaigns that the restore ended. */
  readonly endedSendings: number
  /** `null` if the file was put in place by hand, or imported. */
  readonly carriedOver: CarriedOver | null
}

/** Numbers of decisions made after the backup, which a restore keeps. */
export type CarriedOver = {
  readonly unsubscribed: number
  readonly erased: number
  readonly withdrawn: number
}

type StatusStore = {
  readonly status: SiteStatus | null
  /** The onboarding is shown. */
  readonly stepsOpen: boolean
  /** `isUnasked` marks a background request. */
  readonly load: (isUnasked?: boolean) => Promise<void>
}

export const useSiteStatus = create<StatusStore>((set) => ({
  status: null,
  stepsOpen: false,
  load: async (isUnasked = false) => {
    try {
      set({ status: await call<SiteStatus>('GET', '/api/admin/status', undefined, isUnasked) })
    } catch {
      // Keeps the former status; nothing waits for this request.
    }
  },
}))
