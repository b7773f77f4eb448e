// Editor for one page of the site: the preview, and a side panel for what the preview cannot show.
import { useEffect, useState } from 'preact/hooks'
import { fill } from '../../../../lib/interpolate'
import hidden from '../../../../primitives/hidden.module.css'
import { goTo } from '../../../app/routes'
import { useMediaQuery } from '../../../hooks/use-media-query'
import { Button } from '../../../ui/button'
import { WhenLoaded } from '../../../ui/page-layout'
import type { Block } from '../api/content-api'
import { usePublishing } from '../api/use-publishing'
import { Frame } from '../editing/frame'
import frameStyles from '../editing/frame.module.css'
import { wording } from '../messages'
import { blocksOn, editHref, type SitePage } from '../model/editable-pages'
import { loadBlocks, usePages } from '../model/pages-store'
import type { ChipContext } from '../model/rich-value'
import type { NotFound } from '../preview/use-preview-url'
import { VersionHistory } from '../versions/version-history'
import { BlockConflictDialog } from './conflict-dialog'
import { DraftsBanners } from './drafts-banner'
import { useEditorShortcuts } from './editor-shortcuts'
import { EditorToolbar, UndoRedoButtons } from './editor-toolbar'
import styles from './page-editor.module.css'
import { SidePanel } from './side-panel'
import { StaleMentionsDialog } from './stale-mentions-dialog'
import { usePageEditor } from './use-page-editor'

type PageEditorProps = {
  page: SitePage
  place: string | null
  /** The search text that led here. */
  hit: string | null
  known: ChipContext
  /** Opened from another page or from the list; the link that was clicked there is gone. */
  arrives: boolean
}

const { editor: own } = wording

export function PageEditor(props: PageEditorProps) {
  const { page } = props
  // Keeps the value of the first render.
  const [arrives] = useState(props.arrives)
  // Select these two slices only; subscribing to the whole store re-rendered the editor on every keystroke.
  const blocks = usePages((store) => store.blocks)
  const error = usePages((store) => store.error)
  useEffect(() => {
    document.title = `${page.label} · ${wording.area.heading}`
  }, [page])
  return (
    <WhenLoaded data={{ value: blocks, error, reload: loadBlocks }}>
      {(all) => <LoadedPageEditor {...props} arrives={arrives} blocks={blocksOn(all, page)} />}
    </WhenLoaded>
  )
}

type LoadedProps = PageEditorProps & { blocks: readonly Block[] }

function LoadedPageEditor(props: LoadedProps) {
  const { page, known, blocks } = props
  const [said, setSaid] = useState('')
  const [phone, setPhone] = useState(false)
  const editor = usePageEditor(props)
  const { panel, isSheet, chosen, setVersionsOf } = editor
  const publishing = usePublishing()
  const { publish } = publishing
  const shortcuts = useEditorShortcuts({ editor, blocks, publish, announce: setSaid })
  const { onUndo, onRedo } = shortcuts
  const versioned = blocks.find(({ id }) => id === editor.versionsOf)
  return (
    <main className={styles.editor} ref={editor.root} data-panel={panel.open ? 'open' : 'closed'}>
      <h1 className={hidden.hidden} tabIndex={-1}>
        {fill(own.frame, { page: page.label })}
      </h1>
      <EditorToolbar
        {...{ page, phone, panel, publishing, onUndo, onRedo }}
        onPhone={setPhone}
        onPanel={() => editor.showOverview(!panel.open)}
      />
      <div className={styles.middle} data-region tabIndex={-1} ref={editor.middle}>
        {isSheet && chosen !== null ? null : <DraftsBanners page={page} />}
        <PagePreview {...props} {...{ phone, editor, shortcuts }} announce={setSaid} />
      </div>
      {panel.open ? null : (
        <footer className={styles.foot}>
          <UndoRedoButtons onUndo={onUndo} onRedo={onRedo} />
          <Button tone="quiet" small onClick={() => editor.showOverview(true)}>
            {own.thisPage}
          </Button>
        </footer>
      )}
      {panel.open ? (
        <SidePanel
          {...{ page, blocks, known, chosen }}
          focuses={editor.focuses}
          hasHints={editor.hasHints}
          onChoose={(next) => {
            editor.select(next)
            goTo(editHref(page).slice(1))
          }}
          onVersions={setVersionsOf}
          onBeside={isSheet ? editor.goToAdjacent : null}
          onClose={() => panel.set(false)}
        />
      ) : null}
      {versioned === undefined ? null : (
        <VersionHistory
          block={versioned}
          page={page}
          known={known}
          onClose={() => setVersionsOf(null)}
        />
      )}
      <BlockConflictDialog asked={publishing.asked} />
      <StaleMentionsDialog asked={publishing.stale} />
      <p className={hidden.hidden} role="status">
        {said}
      </p>
    </main>
  )
}

type PreviewProps = LoadedProps & {
  phone: boolean
  editor: ReturnType<typeof usePageEditor>
  shortcuts: ReturnType<typeof useEditorShortcuts>
  announce: (text: string) => void
}

function PagePreview({ page, hit, known, blocks, ...rest }: PreviewProps) {
  const { phone, editor, shortcuts, announce } = rest
  const touch = useMediaQuery('(pointer: coarse), (width < 60rem)')
  const { address } = editor
  if (typeof address !== 'string') return <NoAddress page={page} address={address} />
  return (
    <Frame
      label={page.label}
      {...{ address, blocks, known, phone, touch, hit }}
      chosen={editor.chosen}
      onChoose={editor.choose}
      onKey={shortcuts.onKey}
      onHistory={shortcuts.onHistory}
      onReady={(n) => {
        announce(fill(own.ready, { page: page.label, n }))
        editor.onReady()
      }}
    />
  )
}

/** There is no event or article to show, or its address is not known yet. */
function NoAddress({ page, address }: { page: SitePage; address: NotFound }) {
  const { loading, loadError, noEvent, noArticle } = own
  if (address.why === 'failed') {
    return (
      <div className={frameStyles.failed} role="alert">
        <h2>{loadError.title}</h2>
        <p>{loadError.text}</p>
        <Button tone="outline" onClick={address.again}>
          {loadError.retry}
        </Button>
      </div>
    )
  }
  const none = page.pattern.startsWith('/evento') ? noEvent : noArticle
  return <p role="status">{address.why === 'none' ? none : loading}</p>
}
