// The guide as data, made from docs/uso.md by `guide-plugin.ts`.

export type GuideNode =
  | string
  | {
      readonly tag: string
      readonly children?: readonly GuideNode[]
      readonly src?: string
      readonly alt?: string
      readonly href?: string
    }

export type GuideSection = {
  readonly id: string
  readonly title: string
  readonly level: 2 | 3
  readonly nodes: readonly GuideNode[]
}

export function plainText(node: GuideNode): string {
  if (typeof node === 'string') return node
  return (node.children ?? []).map(plainText).join(node.tag === 'tr' ? ' · ' : '')
}
