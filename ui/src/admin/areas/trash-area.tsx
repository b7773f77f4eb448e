export function TrashArea() {
  return null
}
