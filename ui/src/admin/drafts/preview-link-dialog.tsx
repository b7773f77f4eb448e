// Creates a link that shows a draft for a few days to people without an account.
import { Copy } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { withArticle } from '../../lib/date-article'
import { momentText } from '../../lib/panel-date-format'
import { reasonOf } from '../api/client'
import { Alert } from '../auth/sign-in-form'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { TextField } from '../ui/fields/text-field'
import styles from '../ui/item-form.module.css'
import { words } from '../ui/messages'
import { toastDone } from '../ui/toast-store'

export type PreviewLink = { readonly url: string; readonly expiresAt: string }

type PreviewLinkProps = {
  create: () => Promise<PreviewLink>
  /** What the link does not show; null when there is nothing to say. */
  note: string | null
  onClose: () => void
}

export function PreviewLinkDialog({ create, note, onClose }: PreviewLinkProps) {
  const [link, setLink] = useState<PreviewLink | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  useEffect(() => {
    create().then(setLink, (error: unknown) =>
      setProblem(reasonOf(error) ?? 'Il link non si può creare adesso. Riprova più tardi.'),
    )
  }, [])

  const copy = async (url: string) => {
    try {
      await navigator.clipboard.writeText(url)
      toastDone('Link copiato')
    } catch {
      setProblem('Il browser non permette di copiare: seleziona il link e copialo a mano.')
    }
  }

  return (
    <Dialog title="Condividi la bozza" onClose={onClose} size="small">
      <div className={styles.link}>
        {problem === null ? null : <Alert text={problem} />}
        {link === null && problem === null ? <p role="status">{words.loading}</p> : null}
        {link === null ? null : (
          <>
            <TextField
              id="preview-link"
              label="Link di anteprima"
              value={link.url}
              onChange={() => undefined}
              help={`Chi ha il link vede la bozza fino ${withArticle('al', momentText(link.expiresAt))}.`}
            />
            {note === null ? null : <p>{note}</p>}
            <Button icon={Copy} onClick={() => void copy(link.url)}>
              Copia il link
            </Button>
          </>
        )}
      </div>
    </Dialog>
  )
}
