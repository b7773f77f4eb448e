// Formats dates and times for the admin panel, in Italian and in the Europe/Rome time zone, as the site does.
import { counted } from './plural'

export const ROME = 'Europe/Rome'
const timeZone = ROME
const DAY = new Intl.DateTimeFormat('it-IT', {
  timeZone,
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
const MONTH = new Intl.DateTimeFormat('it-IT', { timeZone, month: 'long', year: 'numeric' })
const MOMENT = new Intl.DateTimeFormat('it-IT', {
  timeZone,
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

const TIME = new Intl.DateTimeFormat('it-IT', { timeZone, hour: '2-digit', minute: '2-digit' })

export function timeText(moment: Date): string {
  return TIME.format(moment)
}

export function dayText(moment: string): string {
  return valid(moment) ? DAY.format(new Date(moment)) : ''
}

/** «ottobre 2026» */
export function monthText(moment: string): string {
  return valid(moment) ? MONTH.format(new Date(moment)) : ''
}

export function momentText(moment: string): string {
  return valid(moment) ? MOMENT.format(new Date(moment)) : ''
}

/** Formats the age of a moment in words: «5 minuti», «2 giorni». */
export function ageText(moment: string, now = Date.now()): string {
  if (!valid(moment)) return ''
  const minutes = Math.max(0, Math.floor((now - Date.parse(moment)) / 60_000))
  if (minutes < 1) return 'meno di un minuto'
  if (minutes < 60) return counted(minutes, '1 minuto', '{n} minuti')
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return counted(hours, '1 ora', '{n} ore')
  return counted(Math.floor(hours / 24), '1 giorno', '{n} giorni')
}

function valid(moment: string): boolean {
  return moment !== '' && !Number.isNaN(Date.parse(moment))
}
