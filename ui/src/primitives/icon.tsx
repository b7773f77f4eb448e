// Renders a lucide icon as inline SVG. Icons are decorative and hidden from screen readers.

import type { IconNode } from 'lucide'
import { h } from 'preact'

type IconProps = {
  readonly of: IconNode
  readonly class?: string | undefined
  /** Size in pixels; without it the icon is as tall as the text. */
  readonly size?: number
  readonly isFilled?: boolean
}

export function Icon({ of, class: className, size, isFilled = false }: IconProps) {
  return (
    <svg
      class={className}
      aria-hidden="true"
      width={size ?? '1em'}
      height={size ?? '1em'}
      viewBox="0 0 24 24"
      fill={isFilled ? 'currentColor' : 'none'}
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      {of.map(([shape, attributes]) => h(shape, attributes))}
    </svg>
  )
}
