// Node view of a button in the text. Its label and target fields are shown only while it is selected.

import { Trash2 } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../api/client'
import { kindLabels } from '../api/kind-labels'
import { type Item, kindSpecs, textOf, titleOf } from '../api/schema'
import { IconButton } from '../ui/button'
import { words as panelWords } from '../ui/messages'
import type { BlockProps } from './block-view'
import styles from './blocks.module.css'
import { SITE_PAGES } from './link-box'
import { richTextMessages } from './messages'

/** Placeholder address that the server replaces with the practitioner's own (`src/content/markdown/figure_html.rs`). */
const MESSAGE = '#messaggio'
const words = richTextMessages.button

export function ButtonBlock({ id: own, attrs, chosen, set, remove }: BlockProps) {
  const text = String(attrs.words)
  if (!chosen) return <p className={styles.button}>{text || words.label}</p>
  return (
    <div className={`${styles.button} ${styles.chosen}`}>
      <span>{text || words.label}</span>
      <div className={styles.buttonFields}>
        <div>
          <label htmlFor={`${own}-text`}>{words.text}</label>
          <input
            id={`${own}-text`}
            value={text}
            maxLength={80}
            onInput={(event) => set({ words: event.currentTarget.value })}
          />
        </div>
        <Target id={`${own}-target`} address={String(attrs.address)} set={set} />
        <IconButton label={words.remove} icon={Trash2} danger onClick={remove} />
      </div>
    </div>
  )
}

type TargetProps = { id: string; address: string; set: BlockProps['set'] }

const EVENT_PATH = kindSpecs.events.page?.prefix ?? '/evento/'

function Target({ id, address, set }: TargetProps) {
  // All events, because the panel's list may hold only the first rows; null until they are loaded.
  const [events, setEvents] = useState<readonly Item[] | null>(null)
  useEffect(() => {
    // If the request fails, the pages of the site can still be chosen.
    call<Item[]>('GET', '/api/admin/events').then(setEvents, () => undefined)
  }, [])
  const choices = new Map<string, string>([[MESSAGE, words.message]])
  for (const event of events ?? []) choices.set(EVENT_PATH + event.id, nameOf(event))
  for (const [path, name] of SITE_PAGES) choices.set(path, name)
  const isGone = events !== null && address.startsWith(EVENT_PATH) && !choices.has(address)
  // An address typed by hand or of a deleted event stays in the list.
  if (!choices.has(address)) choices.set(address, isGone ? words.gone : address)
  return (
    <div>
      <label htmlFor={id}>{words.target}</label>
      <select
        id={id}
        value={address}
        aria-invalid={isGone}
        onChange={(event) => set({ address: event.currentTarget.value })}
      >
        {[...choices].map(([path, name]) => (
          <option key={path} value={path}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Includes the date, because recurring events share a title, and past events have pages too. */
function nameOf(event: Item): string {
  const title = titleOf(event, panelWords.untitled)
  const name = words.event.replace('{title}', () => title)
  const state = event.published ? '' : kindLabels.events.status.off
  return [name, textOf(event, 'date'), state].filter((part) => part !== '').join(' · ')
}
