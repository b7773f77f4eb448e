// `Element.checkVisibility`, which Safari has from 17.4 on.

/** Whether the element has a box; with `visibilityProperty` also whether `visibility` shows it. */
export function isRendered(element: Element, options?: { visibilityProperty: true }): boolean {
  if ('checkVisibility' in element) return element.checkVisibility(options)
  const { getClientRects } = element as Element
  if (getClientRects.call(element).length === 0) return false
  return options === undefined || getComputedStyle(element).visibility === 'visible'
}
