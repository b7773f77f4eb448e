// The places that are left at an event.

type Places = { readonly soldOut?: unknown; readonly placesLeft?: unknown }

/** Whether no place is left; `is_sold_out` in `src/publish/icalendar.rs` has the same rule. */
export function isSoldOut({ soldOut, placesLeft }: Places): boolean {
  return soldOut === true || placesLeft === 0
}
