// File picker for pictures. Dropping works on the whole page.
import { Images } from 'lucide'
import { Icon } from '../../../primitives/icon'
import { PICTURE_TYPES } from '../../api/file-check'
import styles from './add-pictures.module.css'
import { batchUploadMessages } from './messages'

export function DropZone({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  return (
    <label className={styles.drop}>
      <input
        className={styles.input}
        type="file"
        data-first-focus=""
        multiple
        accept={PICTURE_TYPES}
        aria-label="Seleziona una o più immagini"
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])]
          event.currentTarget.value = ''
          onFiles(files)
        }}
      />
      <Icon of={Images} size={28} />
      <b className={styles.touch}>{batchUploadMessages.touch}</b>
      <span className={styles.pointer}>
        <b>{batchUploadMessages.drop}</b> {batchUploadMessages.or}{' '}
        <u>{batchUploadMessages.choose}</u>
      </span>
      <small>{batchUploadMessages.hint}</small>
    </label>
  )
}
