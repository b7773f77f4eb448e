// Buttons at the end of the form of one item, and the toolbar of an article.
import { Check, Eye, EyeOff, Link2, PanelRight, Redo2, SlidersHorizontal, Undo2 } from 'lucide'
import { timeText } from '../../../lib/panel-date-format'
import { Icon } from '../../../primitives/icon'
import type { Item, Kind } from '../../api/schema'
import { useRefusalText } from '../../drafts/draft-notices'
import type { Disclosure } from '../../hooks/use-persisted-disclosure'
import type { UndoRedo } from '../../rich-text/undo-redo-context'
import { Button, IconButton } from '../../ui/button'
import styles from '../../ui/item-form.module.css'
import { words } from '../../ui/messages'
import { articleField } from './article-layout'
import { formMessages } from './form-messages'
import { itemMessages } from './messages'
import type { EditorPanels, ItemEditorState } from './use-item-editor'

const { toolbar } = itemMessages

type FooterProps = {
  kind: Kind
  item: Item | null
  editor: ItemEditorState
  panels: EditorPanels
  travel: UndoRedo
  onShare: () => void
}

export function EditorFooter(props: FooterProps) {
  const { kind, item, editor } = props
  const own = formMessages[kind]
  const { saving, closing } = editor
  const refusal = useRefusalText()
  const isArticle = articleField(kind) !== null
  const cancel = (
    <Button tone="quiet" onClick={closing.ask}>
      {words.cancel}
    </Button>
  )
  return (
    <>
      <FooterTools {...props} />
      {refusal !== null && editor.form.dirty ? <p className={styles.refused}>{refusal}</p> : null}
      <PublishButton {...props} />
      {/* A narrow article form has only the × of the dialog: the save button needs the room. */}
      {isArticle ? <span className={styles.wideOnly}>{cancel}</span> : cancel}
      <Button submit form="editor" disabled={editor.cannotSave} busy={saving.busy}>
        {saving.busy ? words.saving : item === null ? own.addSubmit : words.saveChanges}
      </Button>
    </>
  )
}

function FooterTools({ kind, item, panels, travel, onShare }: FooterProps) {
  const { previewing, details } = panels
  const isArticle = articleField(kind) !== null
  const isMail = formMessages[kind].isMail === true
  return (
    <div className={styles.tools}>
      {isArticle ? <ArticleToolbar travel={travel} side={panels.side} /> : null}
      {isMail ? null : (
        <Button
          tone="quiet"
          icon={previewing ? EyeOff : Eye}
          pressed={previewing}
          onClick={panels.togglePreview}
        >
          Anteprima
        </Button>
      )}
      {isArticle ? (
        <span className={styles.narrowOnly}>
          <Button
            tone="quiet"
            icon={SlidersHorizontal}
            pressed={details}
            onClick={panels.toggleDetails}
          >
            Dettagli
          </Button>
        </span>
      ) : null}
      {item === null || item.published || isMail ? null : (
        <span className={!isArticle || details ? '' : styles.wideOnly}>
          <Button tone="quiet" icon={Link2} onClick={onShare}>
            Condividi bozza
          </Button>
        </span>
      )}
    </div>
  )
}

/** Saves and publishes at once; only for kinds that have such a button. */
function PublishButton({ kind, editor: { form, saving, cannotPublish } }: FooterProps) {
  const { publishButton } = formMessages[kind]
  if (publishButton === undefined || form.values.published === true) return null
  return (
    <Button
      tone="outline"
      disabled={cannotPublish}
      busy={saving.busy}
      onClick={() => void saving.save({ published: true })}
    >
      {articleField(kind) === null ? (
        publishButton
      ) : (
        <Short word="Pubblica" whole={publishButton} />
      )}
    </Button>
  )
}

/** Shows `word` on narrow screens and `whole` on wide ones. */
function Short({ word, whole }: { word: string; whole: string }) {
  return (
    <>
      <span className={styles.narrowOnly}>{word}</span>
      <span className={styles.wideOnly}>{whole}</span>
    </>
  )
}

/** Undo, redo and the side panel of an article, on wide screens. */
function ArticleToolbar({ travel, side }: { travel: UndoRedo; side: Disclosure }) {
  return (
    <span className={styles.wideOnly}>
      <IconButton
        label={toolbar.undo}
        icon={Undo2}
        disabled={travel.undo === null}
        onClick={() => travel.undo?.()}
      />
      <IconButton
        label={toolbar.redo}
        icon={Redo2}
        disabled={travel.redo === null}
        onClick={() => travel.redo?.()}
      />
      <IconButton
        label={side.open ? toolbar.sideHide : toolbar.sideShow}
        icon={PanelRight}
        pressed={side.open}
        onClick={() => side.set(!side.open)}
      />
    </span>
  )
}

/** Time at which the unpublished text was last saved as a draft in this browser. */
export function DraftSavedAt({ at }: { at: Date | null }) {
  if (useRefusalText() !== null || at === null) return null
  return (
    <p className={styles.kept}>
      <Icon of={Check} size={18} />
      {toolbar.kept.replace('{time}', timeText(at))}
    </p>
  )
}
