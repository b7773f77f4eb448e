// Preview of an item's page, rendered by the server from the form values in a sandboxed iframe without scripts.
import { useEffect, useRef, useState } from 'preact/hooks'
import { call, reasonOf } from '../../api/client'
import { bodyOf, type Kind, kindSpecs, type Values } from '../../api/schema'
import styles from '../../ui/item-form.module.css'

/** Spares a request for each keystroke. */
const PAUSE_MS = 400
const FAILED_TEXT = 'L’anteprima non è disponibile adesso. Quello che scrivi non ne risente.'

type PreviewProps = { kind: Kind; id: string | null; values: Values }

export function ItemPreview({ kind, id, values }: PreviewProps) {
  const [html, setHtml] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const scrolled = useRef(0)

  const drawn = html !== null

  // On a phone the preview stands above the form, which may be scrolled past it.
  useEffect(() => {
    if (drawn) box.current?.scrollIntoView({ block: 'nearest' })
  }, [drawn])

  useEffect(() => {
    let current = true
    const ask = async () => {
      const request = {
        kind,
        ...(id === null ? {} : { id }),
        fields: bodyOf(values, kindSpecs[kind].fields),
      }
      try {
        const answer = await call<{ html: string }>('POST', '/api/admin/preview', request, true)
        if (!current) return
        setHtml(answer.html)
        setProblem(null)
      } catch (error) {
        if (current) setProblem(reasonOf(error) ?? FAILED_TEXT)
      }
    }
    const timer = setTimeout(() => void ask(), PAUSE_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [kind, id, values])

  return (
    <div className={styles.preview} ref={box}>
      {problem === null ? null : <p role="status">{problem}</p>}
      {html === null && problem === null ? <p role="status">Preparo l’anteprima...</p> : null}
      {html === null ? null : (
        <iframe
          title="Anteprima della pagina"
          srcDoc={html}
          sandbox="allow-same-origin"
          onLoad={({ currentTarget: { contentWindow: view } }) => {
            if (view === null) return
            // Each new rendering is a new document, which would begin at the top.
            view.scrollTo({ top: scrolled.current, behavior: 'instant' })
            view.addEventListener('scroll', () => {
              scrolled.current = view.scrollY
            })
          }}
        />
      )}
    </div>
  )
}
