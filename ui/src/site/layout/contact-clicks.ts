// Tells the server that a contact was pressed, and on which page; nothing about who.

const contacts: readonly (readonly [string, RegExp])[] = [
  ['phone', /^tel:/],
  ['email', /^mailto:/],
  // A number follows: sharing a page writes to nobody in particular.
  ['message', /^https:\/\/wa\.me\/\d/],
]

export function countContactClicks(): void {
  const press = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null
    const contact = link && contacts.find(([, address]) => address.test(link.href))
    if (contact) navigator.sendBeacon('/api/press', `${contact[0]} ${location.pathname}`)
  }
  addEventListener('click', press)
  // The middle button opens a new tab.
  addEventListener('auxclick', (event) => event.button === 1 && press(event))
}
