export function AccountArea() {
  return null
}
