// Buttons at the end of the form of one item.
import { Eye, EyeOff, Link2, SlidersHorizontal } from 'lucide'
import type { Item, Kind } from '../../api/schema'
import type { UndoRedo } from '../../rich-text/undo-redo-context'
import { Button } from '../../ui/button'
import styles from '../../ui/item-form.module.css'
import { words } from '../../ui/messages'
import { articleField } from './article-layout'
import { ArticleToolbar } from './article-toolbar'
import { formMessages } from './form-messages'
import type { EditorPanels, ItemEditorState } from './use-item-editor'

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
  const isArticle = articleField(kind) !== null
  const cancel = (
    <Button tone="quiet" onClick={closing.ask}>
      {words.cancel}
    </Button>
  )
  return (
    <>
      <FooterTools {...props} />
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
