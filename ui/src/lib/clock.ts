// Reads the browser's clock for the site. Never called during rendering, so that server and browser render the same.

/** Milliseconds since the Unix epoch. */
export function now(): number {
  return Date.now()
}
