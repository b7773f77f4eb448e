// Loads the page editor on demand.
import { lazy } from '../ui/lazy'

type Props = { rest: readonly string[] }

export const SiteEditorArea = lazy<Props>(() =>
  import('../features/site-editor/site-editor').then(({ SiteEditor }) => SiteEditor),
)
