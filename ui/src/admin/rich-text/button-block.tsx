// A button in the text: what it says and where it leads, both asked for only while it is chosen.

import { Trash2 } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../api/client'
import { wording } from '../api/collection-messages'
import { type Item, kindSpecs, textOf, titleOf } from '../api/schema'
import { IconButton } from '../ui/button'
import { words as panelWords } from '../ui/messages'
import type { BlockProps } from './block-view'
import styles from './blocks.module.css'
import { SITE_PAGES } from './link-box'
import { richWords } from './messages'

/** The name that the program turns into the practitioner's own address (`markdown/figures.rs`). */
const MESSAGE = '#messaggio'
const words = richWords.button

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
  // All of them, also where the list of the panel has only its first rows; null until they are known.
  const [events, setEvents] = useState<readonly Item[] | null>(null)
  useEffect(() => {
    // Without them the pages of the site can still be chosen.
    call<Item[]>('GET', '/api/admin/events').then(setEvents, () => undefined)
  }, [])
  const choices = new Map<string, string>([[MESSAGE, words.message]])
  for (const event of events ?? []) choices.set(EVENT_PATH + event.id, nameOf(event))
  for (const [path, name] of SITE_PAGES) choices.set(path, name)
  const isGone = events !== null && address.startsWith(EVENT_PATH) && !choices.has(address)
  // What was written by hand, or an event of before, stays.
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

/** With its date, for the same evening comes again under the same title; past ones have pages too. */
function nameOf(event: Item): string {
  const title = titleOf(event, panelWords.untitled)
  const name = words.event.replace('{title}', () => title)
  const state = event.published ? '' : wording.events.status.off
  return [name, textOf(event, 'date'), state].filter((part) => part !== '').join(' · ')
}
