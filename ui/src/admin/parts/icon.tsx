// A lucide icon as inline SVG; always beside words or inside something that has a name.
import type { IconNode } from 'lucide'
import { h } from 'preact'

type IconProps = { of: IconNode; size?: number; className?: string | undefined; fill?: string }

export function Icon({ of, size = 20, className, fill = 'none' }: IconProps) {
  return (
    <svg
      aria-hidden="true"
      className={className ?? ''}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={fill}
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      {of.map(([tag, attributes]) => h(tag, { ...attributes }))}
    </svg>
  )
}
