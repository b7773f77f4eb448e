// Mounts the panel.

import './styles/tokens.css'
import './styles/base.css'
import { render } from 'preact'

const root = document.getElementById('admin')
if (root) render(<main />, root)
