// The pages of the site, to be edited on themselves.
import { lazy } from '../ui/lazy'

type Props = { rest: readonly string[] }

export const SiteEditorArea = lazy<Props>(() =>
  import('../features/site-editor/site-editor').then(({ SiteEditor }) => SiteEditor),
)
