export function NewsletterArea() {
  return null
}
