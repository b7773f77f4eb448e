// Takes over the published page in the browser.

import './styles/tokens.css'
import './styles/base.css'
import './styles/print.css'
import { startSite } from './site/shell/start'
import { startTypesetting } from './site/typesetting'

startTypesetting()
startSite()
