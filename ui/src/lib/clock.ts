// The browser's clock: the only place that reads it, and never while a page is drawn.

/** Milliseconds since 1970. */
export function now(): number {
  return Date.now()
}
