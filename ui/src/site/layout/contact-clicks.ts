// Reports to the server that a contact link was pressed and on which page; nothing about the
// visitor.

const contacts: readonly (readonly [string, RegExp])[] = [
  ['phone', /^tel:/],
  ['email', /^mailto:/],
  // With a number only: a share link has no recipient.
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
