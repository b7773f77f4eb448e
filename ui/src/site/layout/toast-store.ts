// The toast on screen. A new one replaces the old one.

import { create } from 'zustand'

export type Toast = { readonly id: number; readonly text: string; readonly isFailure: boolean }

export const toastDurationMs = 5000

export const useToast = create<{ readonly toast: Toast | null }>(() => ({ toast: null }))

let last = 0

export function showToast(text: string, isFailure = false): void {
  last += 1
  useToast.setState({ toast: { id: last, text, isFailure } })
}

export function dismissToast(): void {
  useToast.setState({ toast: null })
}
