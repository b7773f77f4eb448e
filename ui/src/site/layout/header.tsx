// The header: transparent over the opening of a page, opaque once the page is scrolled.

import { Menu, MessageCircle, X } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'wouter'
import { classNames } from '../../lib/class-names'
import { pillClass } from '../../primitives/buttons'
import { Icon } from '../../primitives/icon'
import { closeOnBackdrop } from '../../primitives/use-modal'
import type { Words } from '../content/blocks'
import { headerLabels as labels } from '../fixed-messages/control-labels'
import { isCurrent } from '../navigation'
import type { Settings } from '../page-data'
import { setting, whatsappHref } from '../settings'
import { useContent } from '../use-content'
import styles from './header.module.css'
import { fitOf, isLongName } from './header-fit'

const opaqueAfterPx = 50
const menuId = 'menu'

type HeaderProps = {
  readonly settings: Settings
  /** The page opens with a dark picture, on which the header's text is white. */
  readonly isOnDark: boolean
}

export function Header({ settings, isOnDark }: HeaderProps) {
  const menu = useContent('header.menu')
  const isOpaque = useScrolledPast(opaqueAfterPx)
  const brand = setting('brand', settings)
  const fit = fitOf(menu, brand)
  return (
    <header class={classNames(styles.header, isOnDark && styles.onDark, isOpaque && styles.opaque)}>
      <nav class={classNames(styles.bar, styles[fit])} aria-label={labels.nav}>
        {fit !== 'full' && <Entries entries={menu.left} />}
        <a class={classNames(styles.brand, isLongName(brand) && styles.long)} href="/">
          {brand}
        </a>
        {fit !== 'full' && <Entries entries={menu.right} />}
        <MenuButton />
      </nav>
      <Drawer settings={settings} brand={brand} />
    </header>
  )
}

type EntriesProps = { readonly entries: Words['header.menu']['left'] }

function Entries({ entries }: EntriesProps) {
  const [path] = useLocation()
  return (
    <ul class={styles.entries}>
      {entries.map(({ id, label, labelLink: href }) => (
        <li key={id}>
          <a href={href} aria-current={isCurrent(href, path) ? 'page' : undefined}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  )
}

// `command` opens and closes the dialog without a script; older browsers use the listeners.
function MenuButton() {
  return (
    <button
      type="button"
      class={styles.menuButton}
      aria-label={labels.openMenu}
      aria-haspopup="dialog"
      command="show-modal"
      commandfor={menuId}
      onClick={({ currentTarget }) => {
        // Safari focuses no pressed button, and the closed dialog would give the focus to the page.
        currentTarget.focus({ preventScroll: true })
        // With `command` the browser opens it after this listener, and warned that it was open.
        if ('command' in HTMLButtonElement.prototype) return
        const menu = document.getElementById(menuId)
        if (menu instanceof HTMLDialogElement && !menu.open) menu.showModal()
      }}
    >
      <Icon of={Menu} />
    </button>
  )
}

type DrawerProps = { readonly settings: Settings; readonly brand: string }

function Drawer({ settings, brand }: DrawerProps) {
  const { left, right } = useContent('header.menu')
  const messaging = useContent('header.messaging')
  const drawer = useRef<HTMLDialogElement>(null)
  const [path] = useLocation()
  const close = () => drawer.current?.close()
  // Takes the focus, as `useOpen` gives it. Not in the HTML: browsers report it as an error in frames without scripts.
  useEffect(() => {
    if (drawer.current !== null) drawer.current.autofocus = true
  }, [])
  const whatsapp = whatsappHref(settings)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={drawer}
      id={menuId}
      class={styles.drawer}
      tabIndex={-1}
      closedby="any"
      onClick={closeOnBackdrop}
      aria-label={labels.drawer}
    >
      <div class={styles.sheet}>
        <div class={styles.sheetHead}>
          <span class={styles.brand}>{brand}</span>
          <button
            type="button"
            class={styles.closeButton}
            aria-label={labels.closeMenu}
            command="close"
            commandfor={menuId}
            onClick={close}
          >
            <Icon of={X} />
          </button>
        </div>
        <nav aria-label={labels.drawer}>
          <ul>
            {[...left, ...right].map(({ id, label, labelLink: href }) => (
              <li key={id}>
                <a
                  href={href}
                  aria-current={isCurrent(href, path) ? 'page' : undefined}
                  onClick={close}
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {whatsapp && (
          <p class={styles.sheetFoot}>
            <a class={pillClass()} href={whatsapp} target="_blank" rel="noopener">
              <Icon of={MessageCircle} />
              {messaging.label}
            </a>
          </p>
        )}
      </div>
    </dialog>
  )
}

function useScrolledPast(limitPx: number): boolean {
  const [isPast, setPast] = useState(false)
  useEffect(() => {
    const measure = () => setPast(scrollY > limitPx)
    measure()
    addEventListener('scroll', measure, { passive: true })
    return () => removeEventListener('scroll', measure)
  }, [limitPx])
  return isPast
}
