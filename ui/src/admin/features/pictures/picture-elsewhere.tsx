// Says before the deletion of an item where else its picture is shown.
import { useEffect, useState } from 'preact/hooks'
import { getPicture, type PictureUse } from '../../api/pictures'
import { pictureDialogMessages } from './messages'
import { PictureUses } from './picture-uses'

/** `id` is that of the item. Renders nothing for a picture that nothing else shows. */
export function PictureElsewhere({ path, id }: { path: string; id: string }) {
  const [uses, setUses] = useState<readonly PictureUse[]>([])
  useEffect(() => {
    let isCurrent = true
    getPicture(path).then(
      (picture) => {
        if (isCurrent) setUses(picture.uses)
      },
      // The deletion does not depend on it.
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [path])
  const others = uses.filter((use) => use.is !== 'trash' && !(use.is === 'item' && use.id === id))
  if (others.length === 0) return null
  return (
    <div role="status">
      <p>{pictureDialogMessages.uses.elsewhere}</p>
      <PictureUses uses={others} />
    </div>
  )
}
