// What a change shows: each field with its text or image before and after.

import { momentText } from '../../../lib/panel-date-format'
import { kindLabels } from '../../api/kind-labels'
import {
  type FieldSpec,
  type Kind,
  kindSpecs,
  type SettingName,
  settingSpecs,
} from '../../api/schema'
import { settingMessages } from '../../api/setting-messages'
import type { Block } from '../../features/site-editor/api/content-api'
import { homeOf } from '../../features/site-editor/model/editable-pages'
import type { ChipContext } from '../../features/site-editor/model/rich-value'
import {
  otherPlaces,
  readable,
  textsOf,
} from '../../features/site-editor/versions/version-field-texts'
import type { BlockState, Change, State } from './history-api'
import { historyMessages as own } from './messages'

export type Side = { readonly text: string; readonly picture: string | null }
export type ChangedField = {
  readonly key: string
  readonly label: string
  readonly before: Side
  readonly after: Side
}

/** The name of what changed, and where it is. */
export function nameOf(change: Change, blocks: readonly Block[]): { name: string; place: string } {
  const { kind, thing, title } = change
  if (kind === 'settings') {
    const [only, ...others] = changedNames(change)
    const label = only === undefined || others.length > 0 ? null : settingLabel(only)
    return { name: label ?? own.settings, place: label === null ? '' : own.settings }
  }
  if (kind === 'words') {
    const block = blockOf(change, blocks)
    return { name: title ?? own.gone, place: block === undefined ? own.pages : homeOf(block).label }
  }
  const label = kind in kindLabels ? kindLabels[kind as Kind].label : ''
  if (thing.startsWith('order:')) return { name: label, place: '' }
  return { name: title ?? own.gone, place: label }
}

export function blockOf(change: Change, blocks: readonly Block[]): Block | undefined {
  return blocks.find(({ id }) => change.thing === `words:${id}`)
}

/** Empty for states that are cut, erased, or of a block that this release does not have. */
export function changedFields(
  change: Change,
  blocks: readonly Block[],
  known: ChipContext,
): readonly ChangedField[] {
  if (change.kind === 'words') return fieldsOfBlock(change, blocks, known)
  return changedNames(change)
    .filter((name) => isTelling(change, name))
    .map((name) => ({
      key: name,
      label: labelOf(change.kind, name),
      before: sideOf(change.kind, name, change.before),
      after: sideOf(change.kind, name, change.after),
    }))
}

function changedNames({ before, after }: Change): readonly string[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  // Settings have a second entry with the whole picture or the printed telephone number.
  return names.filter((name) => !/(Picture|Shown)$/.test(name) && name !== 'contentPictures')
}

/** Returns false for values of a new or deleted item that the admin has not chosen: its defaults. */
function isTelling({ kind, before, after }: Change, name: string): boolean {
  if (kind === 'settings' || (before !== null && after !== null)) return true
  if (name === 'createdAt') return kindSpecs[kind as Kind]?.dated === true
  const value = (before ?? after)?.[name]
  const isCentre = /Focus[XY]$/.test(name) && value === 50
  return name === 'published' || (value !== false && !isCentre)
}

function fieldsOfBlock(
  change: Change,
  blocks: readonly Block[],
  known: ChipContext,
): readonly ChangedField[] {
  const block = blockOf(change, blocks)
  const { before, after } = change as {
    readonly before: BlockState | null
    readonly after: BlockState | null
  }
  if (block === undefined || before === null || after === null) return []
  const was = textsOf(block, before.value, before.hidden, known)
  const is = textsOf(block, after.value, after.hidden, known)
  return otherPlaces(is, was).map((place) => {
    const [then, now] = [was.get(place), is.get(place)]
    const [textBefore = '', textAfter = ''] = readable(then, now)
    return {
      key: place,
      label: (now ?? then)?.label ?? '',
      before: { text: textBefore, picture: then?.picture?.path ?? null },
      after: { text: textAfter, picture: now?.picture?.path ?? null },
    }
  })
}

function settingLabel(name: string): string | null {
  return name in settingMessages ? settingMessages[name as SettingName].label : null
}

function specOf(kind: string, name: string): FieldSpec | undefined {
  if (kind === 'settings') return settingSpecs[name as SettingName]?.field
  return kindSpecs[kind as Kind]?.fields[name]
}

function labelOf(kind: string, name: string): string {
  if (kind === 'settings') return settingLabel(name) ?? name
  if (name === 'titles') return own.order
  if (name === 'published') return own.onSite
  if (name === 'createdAt') return own.date
  return specOf(kind, name)?.label ?? name
}

function sideOf(kind: string, name: string, state: State | null): Side {
  const value = state?.[name]
  if (value === undefined || value === null || value === '') return { text: '', picture: null }
  if (specOf(kind, name)?.type === 'picture') return { text: '', picture: String(value) }
  if (typeof value === 'boolean') return { text: value ? own.yes : own.no, picture: null }
  if (Array.isArray(value)) {
    const titles = value.map((one) => (typeof one === 'string' ? one : own.gone))
    return { text: titles.join('\n'), picture: null }
  }
  const text = String(value)
  return { text: name === 'createdAt' ? momentText(text) : text, picture: null }
}
