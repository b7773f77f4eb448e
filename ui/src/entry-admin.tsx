// Entry point of the admin panel, which is rendered only in the browser.
import { render } from 'preact'
import './styles/tokens.css'
import './styles/server-notice-bar.css'
import './admin/app/theme.css'
import { AdminApp } from './admin/app/admin-app'
import { closeByBack } from './lib/dialog-history'

const root = document.getElementById('admin')
// `admin.html` shows a sentence instead in browsers below the floor (`browser-floor.ts`).
if (root !== null && !document.documentElement.hasAttribute('data-old')) {
  root.replaceChildren()
  render(<AdminApp />, root)
  closeByBack()
}
