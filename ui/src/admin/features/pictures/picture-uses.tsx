// Lists the places that show a picture, with links to their forms.
import hidden from '../../../primitives/hidden.module.css'
import { kindLabels } from '../../api/kind-labels'
import type { PictureUse } from '../../api/pictures'
import { SETTING_NAMES } from '../../api/schema'
import { settingMessages } from '../../api/setting-messages'
import { areaHref, itemHref, settingHref } from '../../app/routes'
import { words } from '../../ui/messages'
// biome-ignore lint/style/noRestrictedImports: the page of a text is the page editor's to know
import { editHref, homeOf } from '../site-editor/model/editable-pages'
import { pictureDialogMessages } from './messages'
import styles from './picture-uses.module.css'

const own = pictureDialogMessages.uses

export function PictureUses({ uses }: { uses: readonly PictureUse[] }) {
  if (uses.length === 0) return <p className={styles.none}>{own.none}</p>
  return (
    <ul className={styles.uses}>
      {uses.map((use) => {
        const { label, href, note } = placeOf(use)
        return (
          <li key={`${href} ${label}`}>
            {/* A form may be open beneath. */}
            <a href={href} target="_blank" rel="noopener">
              {label}
              <span className={hidden.hidden}> ({own.newTab})</span>
            </a>
            {note === null ? null : <small> ({note})</small>}
          </li>
        )
      })}
    </ul>
  )
}

function placeOf(use: PictureUse): { label: string; href: string; note: string | null } {
  switch (use.is) {
    case 'item': {
      const { kind, id, title, published } = use
      return {
        label: itemLabel(use.kind, title),
        href: kind === 'newsletters' ? `${areaHref('newsletter')}/${id}` : itemHref(kind, id),
        note: published || kind === 'newsletters' ? null : own.hidden,
      }
    }
    case 'trash':
      return { label: itemLabel(use.kind, use.title), href: areaHref('cestino'), note: own.trash }
    case 'block': {
      const page = homeOf(use)
      return {
        label: `${page.label} · ${use.title}`,
        href: editHref(page, `${use.id}:`),
        note: null,
      }
    }
    case 'setting': {
      const name = SETTING_NAMES.find((one) => one === use.id)
      const label = name === undefined ? use.id : settingMessages[name].label
      return { label: `${own.settings} · ${label}`, href: settingHref(use.id), note: null }
    }
  }
}

function itemLabel(kind: keyof typeof kindLabels, title: string | null): string {
  return `${kindLabels[kind].label} · ${title ?? words.untitled}`
}
