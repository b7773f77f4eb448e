// Texts of the "not found" screen.

export const notFound = {
  title: '404 Page Not Found',
  text: 'Did you forget to add the page to the router?',
  language: 'en',
  button: { label: 'Torna alla Home', href: '/' },
} as const
