// Fills values into the placeholders of a string.

type Parts = Readonly<Record<string, string | number>>

/** Replaces each `{name}` with the value of that name; a placeholder with an unknown name stays. */
export function fill(text: string, parts: Parts): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(parts[name] ?? whole))
}
