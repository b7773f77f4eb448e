// The pages of the site, to be edited on themselves.
import { later } from '../ui/lazy'

type Props = { rest: readonly string[] }

export const PagesArea = later<Props>(() =>
  import('../features/site-editor/site-editor').then(({ Pages }) => Pages),
)
