// Names of keyboard shortcuts on this device.

const isApple = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')

/** Returns a shortcut such as `Ctrl+Maiusc+Z` as the keyboard of the device names it: `⇧⌘Z` on Apple's. */
export function shortcutText(shortcut: string): string {
  if (!isApple) return shortcut
  const keys = shortcut.split(/[+ ]/)
  const has = (name: string) => (keys.includes(name) ? true : undefined)
  return `${has('Maiusc') ? '⇧' : ''}${has('Ctrl') ? '⌘' : ''}${keys.at(-1)}`
}
