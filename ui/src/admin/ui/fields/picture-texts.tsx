// Alt text of an image, or its mark as decorative.
import type { Values } from '../../api/schema'
import { lazyAddition } from '../lazy'
import { Check } from './switch-field'
import { TextField } from './text-field'

type PictureTextsProps = {
  id: string
  values: Values
  max: number
  /** Warning for a missing alt text, when the item has an image. */
  missing?: string
  /** Path of a picture that was uploaded just now: its text elsewhere is proposed. */
  uploaded?: string | undefined
  /** Validation message of the server. */
  problem?: string | undefined
  onChange: (values: Values) => void
}

const KnownAlt = lazyAddition(() => import('./known-alt').then(({ KnownAlt }) => KnownAlt))

export function PictureTexts(props: PictureTextsProps) {
  const { id, values, max, missing, uploaded, problem, onChange } = props
  const decorative = values.imageDecorative === true
  const alt = typeof values.imageAlt === 'string' ? values.imageAlt : ''
  return (
    <div>
      {decorative ? null : (
        <TextField
          id={`${id}-alt`}
          label="Testo alternativo"
          value={alt}
          optional
          max={max}
          problem={problem}
          placeholder="Es. Dieci persone sedute in cerchio in una sala luminosa"
          help={[
            alt.trim() === '' ? missing : undefined,
            'Che cosa si vede, per chi non può vedere la foto.',
          ]
            .filter((one) => one !== undefined)
            .join(' ')}
          onChange={(imageAlt) => onChange({ imageAlt })}
        />
      )}
      {decorative || alt.trim() !== '' || uploaded === undefined ? null : (
        <KnownAlt path={uploaded} onTake={(imageAlt) => onChange({ imageAlt })} />
      )}
      <Check
        label="Decorativa: non c’è niente da descrivere"
        checked={decorative}
        onChange={(imageDecorative) => onChange({ imageDecorative })}
      />
    </div>
  )
}
