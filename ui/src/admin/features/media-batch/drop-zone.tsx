// File picker for pictures. Dropping works on the whole page.
import { Images } from 'lucide'
import { Icon } from '../../../primitives/icon'
import { words } from '../../ui/messages'
import styles from './add-pictures.module.css'

export function DropZone({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  return (
    <label className={styles.drop}>
      <input
        className={styles.input}
        type="file"
        data-first-focus=""
        multiple
        accept="image/*"
        aria-label="Seleziona una o più immagini"
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])]
          event.currentTarget.value = ''
          onFiles(files)
        }}
      />
      <Icon of={Images} size={28} />
      <b className={styles.touch}>{words.upload.touch}</b>
      <span className={styles.pointer}>
        <b>{words.upload.drop}</b> {words.upload.or} <u>{words.upload.choose}</u>
      </span>
      <small>{words.upload.hint}</small>
    </label>
  )
}
