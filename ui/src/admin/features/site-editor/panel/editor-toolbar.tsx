// Toolbar above an open page: page menu, preview width, undo and redo, drafts, and publish.
import {
  ArrowLeft,
  ChevronDown,
  CircleQuestionMark,
  Monitor,
  PanelRight,
  Redo2,
  Smartphone,
  Undo2,
} from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { fill } from '../../../../lib/interpolate'
import { timeText } from '../../../../lib/panel-date-format'
import { counted } from '../../../../lib/plural'
import { Icon } from '../../../../primitives/icon'
import { useRefusalText } from '../../../drafts/draft-notices'
import { isFocusLost } from '../../../hooks/focus-recovery'
import { GUIDE_NAME, useGuide } from '../../../hooks/use-guide'
import { useMenuClosing } from '../../../hooks/use-menu-closing'
import type { Disclosure } from '../../../hooks/use-persisted-disclosure'
import { Button, IconButton } from '../../../ui/button'
import type { usePublishing } from '../api/use-publishing'
import { changesText, wording } from '../messages'
import { editHref, SITE_PAGES, type SitePage } from '../model/editable-pages'
import { allChanges, useBlocksAndDrafts, usePages } from '../model/pages-store'
import { DiscardDialog } from './discard-dialog'
import { DraftList } from './draft-list'
import styles from './page-editor.module.css'

const { editor: own } = wording

type EditorBarProps = {
  page: SitePage
  phone: boolean
  onPhone: (phone: boolean) => void
  panel: Disclosure
  publishing: ReturnType<typeof usePublishing>
  onUndo: () => void
  onRedo: () => void
  onPanel: () => void
}

export function EditorToolbar(props: EditorBarProps) {
  const { page, panel, publishing } = props
  const changes = allChanges(useBlocksAndDrafts())
  return (
    <header className={styles.bar} data-region tabIndex={-1}>
      <a className={styles.back} href="#/pagine" aria-label={own.back}>
        <Icon of={ArrowLeft} size={20} />
      </a>
      <PageMenu page={page} />
      <Widths {...props} />
      <span className={styles.travel}>
        <UndoRedoButtons onUndo={props.onUndo} onRedo={props.onRedo} />
      </span>
      <Waiting count={changes.length} />
      <Button
        small
        busy={publishing.busy}
        disabled={changes.length === 0}
        reachable
        onClick={publishing.publish}
      >
        {publishing.label}
      </Button>
      <span className={styles.long}>
        <IconButton
          label={GUIDE_NAME}
          icon={CircleQuestionMark}
          onClick={() => useGuide.getState().open()}
        />
        <IconButton
          label={panel.open ? own.panelHide : own.panelShow}
          icon={PanelRight}
          pressed={panel.open}
          onClick={props.onPanel}
        />
      </span>
    </header>
  )
}

export function UndoRedoButtons({ onUndo, onRedo }: Pick<EditorBarProps, 'onUndo' | 'onRedo'>) {
  const { done, undone } = usePages((store) => store.past)
  const last = done.at(-1)
  const next = undone.at(-1)
  return (
    <>
      <IconButton
        label={last === undefined ? own.undoEmpty : fill(own.undo, { what: last.what })}
        icon={Undo2}
        disabled={last === undefined}
        onClick={onUndo}
      />
      <IconButton
        label={next === undefined ? own.redoEmpty : fill(own.redo, { what: next.what })}
        icon={Redo2}
        disabled={next === undefined}
        onClick={onRedo}
      />
    </>
  )
}

function PageMenu({ page }: { page: SitePage }) {
  const menu = useRef<HTMLDetailsElement>(null)
  const close = useMenuClosing(menu)
  return (
    <details
      ref={menu}
      className={styles.pages}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        close()
        menu.current?.querySelector('summary')?.focus()
      }}
    >
      <summary aria-label={fill(own.choosePage, { page: page.label })}>
        <span>{page.label}</span>
        <Icon of={ChevronDown} size={18} />
      </summary>
      <ul>
        {SITE_PAGES.map((one) => (
          <li key={one.name}>
            <a
              href={editHref(one)}
              onClick={close}
              {...(one.name === page.name ? { 'aria-current': 'page' as const } : {})}
            >
              {one.label}
            </a>
          </li>
        ))}
        <li>
          <button
            type="button"
            onClick={() => {
              close()
              useGuide.getState().open()
            }}
          >
            {GUIDE_NAME}
          </button>
        </li>
      </ul>
    </details>
  )
}

function Widths({ phone, onPhone }: EditorBarProps) {
  const choices = [
    { label: own.width.desktop, icon: Monitor, isPhone: false },
    { label: own.width.phone, icon: Smartphone, isPhone: true },
  ]
  return (
    <fieldset className={styles.widths} aria-label={own.width.label}>
      {choices.map(({ label, icon, isPhone }) => (
        <button
          type="button"
          key={label}
          aria-pressed={phone === isPhone}
          onClick={() => onPhone(isPhone)}
        >
          <Icon of={icon} size={18} />
          {label}
        </button>
      ))}
    </fieldset>
  )
}

function Waiting({ count }: { count: number }) {
  const keptAt = usePages((store) => store.keptAt)
  const keeps = usePages((store) => store.keeps)
  const refusal = useRefusalText()
  const [looking, setLooking] = useState(false)
  const [asking, setAsking] = useState(false)
  const told = useRef<HTMLParagraphElement>(null)
  const former = useRef(count)
  useEffect(() => {
    // The button that discarded the changes is removed with them, and the focus with it.
    if (count === 0 && former.current > 0 && isFocusLost()) told.current?.focus()
    former.current = count
  }, [count])
  if (count === 0) {
    return (
      <p className={`${styles.kept} ${styles.nothing}`} role="status" tabIndex={-1} ref={told}>
        {own.changes.none}
      </p>
    )
  }
  const text = changesText(count)
  return (
    <>
      <p className={styles.kept}>
        {refusal ?? (keeps && keptAt !== null ? fill(own.kept, { time: timeText(keptAt) }) : '')}
      </p>
      <button
        type="button"
        className={styles.waiting}
        aria-label={fill(counted(count, own.changes.lookSpokenOne, own.changes.lookSpoken), {
          changes: text,
        })}
        onClick={() => setLooking(true)}
      >
        <span className={styles.long}>{text}</span>
        <span className={styles.short}>{count}</span>
      </button>
      <span className={styles.long}>
        <Button tone="quiet" small onClick={() => setAsking(true)}>
          {own.discard.action}
        </Button>
      </span>
      {looking ? <DraftList onClose={() => setLooking(false)} /> : null}
      {asking ? <DiscardDialog onClose={() => setAsking(false)} /> : null}
    </>
  )
}
