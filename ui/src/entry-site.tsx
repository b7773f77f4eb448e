// Entry point of the public site: hydrates the published page.

import './styles/tokens.css'
import './styles/base.css'
import './styles/print.css'
import './styles/server-notice-bar.css'
import { startSite } from './site/layout/hydrate-page'
import { startTypesetting } from './site/typeset-vnodes'

startTypesetting()
startSite()
