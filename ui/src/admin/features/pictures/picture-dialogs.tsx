// The dialogs about stored pictures, over whatever form asked for one.
import { usePictureDialogs } from '../../hooks/picture-dialogs'
import { PictureEditor } from './picture-editor'
import { PictureLibrary } from './picture-library'

export function PictureDialogs() {
  const request = usePictureDialogs((store) => store.request)
  if (request === null) return null
  return request.is === 'library' ? (
    <PictureLibrary onAnswer={request.answer} />
  ) : (
    <PictureEditor path={request.path} ratiosOf={request.ratiosOf} onAnswer={request.answer} />
  )
}
