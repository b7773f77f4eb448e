// Rich-text field; the editor's chunk loads with the form.

import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { richTextMessages } from '../../rich-text/messages'
import type { RichTextProps } from '../../rich-text/use-editor-view'
import { type ControlProps, hintId, Problem, problemId } from './field-shell'
import { RichTextLoadError } from './rich-text-load-error'

type Loaded = { readonly RichText: ComponentType<RichTextProps> } | 'loading' | 'failed'

type RichTextFieldProps = ControlProps & {
  max: number
  onBusy?: RichTextProps['onBusy']
}

export function RichTextField(props: RichTextFieldProps) {
  const { id, label, value, onChange, max, problem, help, required = false, onBusy } = props
  const [loaded, setLoaded] = useState<Loaded>('loading')
  const load = () => {
    setLoaded('loading')
    import('../../rich-text/rich-text').then(
      ({ RichText }) => setLoaded({ RichText }),
      () => setLoaded('failed'),
    )
  }
  useEffect(load, [])

  if (loaded === 'loading') return <p role="status">{richTextMessages.loading}</p>
  if (loaded === 'failed') return <RichTextLoadError onRetry={load} />
  const { RichText } = loaded
  const described = [
    help === undefined ? '' : hintId(id),
    problem === undefined ? '' : problemId(id),
  ]
  return (
    <>
      <RichText
        {...{ id, label, value, onChange, max, problem, required, onBusy }}
        describedBy={described.filter((one) => one !== '').join(' ') || undefined}
      />
      {problem === undefined ? null : <Problem id={problemId(id)} text={problem} />}
    </>
  )
}
