// Moves an element of a list and describes its new position.

/** Returns the list with the element at `from` moved to `to`; the same list if nothing moves. */
export function moved<Value>(list: readonly Value[], from: number, to: number): readonly Value[] {
  const value = list[from]
  if (value === undefined || from === to || to < 0 || to >= list.length) return list
  const rest = list.filter((_, index) => index !== from)
  return [...rest.slice(0, to), value, ...rest.slice(to)]
}

export function positionText(title: string, index: number, total: number): string {
  return `${title}: posizione ${index + 1} di ${total}`
}
