// Takes over the published page in the browser.

import './styles/tokens.css'
import './styles/base.css'
import './styles/print.css'
import { startSite } from './site/layout/start'
import { startTypesetting } from './site/typeset-vnodes'

startTypesetting()
startSite()
