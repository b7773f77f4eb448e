// Links of the site: with an arrow, or to a new tab with a hint that says so.

import { ArrowRight, ExternalLink } from 'lucide'
import type { ComponentChildren } from 'preact'
import { PillLink, type Tone, WordLink } from '../../primitives/buttons'
import hidden from '../../primitives/hidden.module.css'
import { Icon } from '../../primitives/icon'
import { labels } from '../fixed-messages/control-labels'

type LinkProps = {
  readonly href: string
  readonly children: ComponentChildren
  readonly hasArrow?: boolean
  readonly isExternal?: boolean
}

type ButtonLinkProps = LinkProps & { readonly tone?: Tone }

export function ButtonLink({ children, hasArrow, isExternal = false, ...rest }: ButtonLinkProps) {
  return (
    <PillLink {...rest} isExternal={isExternal}>
      {children}
      {hasArrow && <Icon of={ArrowRight} />}
      {isExternal && <NewTab />}
    </PillLink>
  )
}

export function TextLink({ children, hasArrow, isExternal = false, ...rest }: LinkProps) {
  return (
    <WordLink {...rest} isExternal={isExternal} endsInIcon={hasArrow || isExternal}>
      {children}
      {hasArrow && <Icon of={ArrowRight} />}
      {isExternal && <NewTab />}
    </WordLink>
  )
}

export function NewTab() {
  return (
    <>
      <Icon of={ExternalLink} />
      <span class={hidden.hidden}>{` (${labels.newTab})`}</span>
    </>
  )
}
