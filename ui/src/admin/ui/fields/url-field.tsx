// URL field: adds a missing `https://` and says so.
import { useState } from 'preact/hooks'
import { visibleText } from '../../../lib/invisible-characters'
import { completeWebAddress } from '../../../lib/web-address'
import { words } from '../messages'
import type { ControlProps } from './field-shell'
import { TextField } from './text-field'

export function UrlField(props: ControlProps) {
  const { value, help, onChange } = props
  const [completed, setCompleted] = useState<string | null>(null)
  const leave = () => {
    const whole = completeWebAddress(visibleText(value))
    if (whole === value) return
    setCompleted(whole)
    onChange(whole)
  }
  const said = completed === value ? words.urlCompleted(value) : undefined
  return <TextField {...props} type="url" help={said ?? help} onBlur={leave} />
}
