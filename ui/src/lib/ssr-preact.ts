// Minimal Preact replacement for server-side rendering: renders straight to markup and keeps no state. The build for
// the binary aliases preact, its hooks, `preact-render-to-string` and React (which wouter and zustand import) to this
// file (`vite.config.ts`). Source code, browsers and tests use Preact itself.
//
// Preact keeps state for re-rendering and checks every prop and text for features that this site does not use (style
// objects, a selected option by value, Suspense); in the interpreter that took more than half of the time per page.
// This file implements what the site uses; `ssr-preact.test.ts` compares its output with Preact's.

type Props = { children?: unknown; readonly [name: string]: unknown }
type Component = ((props: Props) => unknown) & { provides?: { value: unknown } }
type Node = { readonly is: symbol; readonly type: string | Component; readonly props: Props }
type Context<Value> = { value: Value; readonly Provider: Component }

/** Marks JSX elements, so that an object from parsed data is never rendered as one. */
const element = Symbol('element')

/** The `vnode` hook is called for each element before it is rendered, as in Preact. */
export const options: { vnode?: (node: Node) => void } = {}

export function jsx(type: Node['type'], props: Props): Node {
  const node = { is: element, type, props }
  options.vnode?.(node)
  return node
}

export { jsx as jsxs }

export function createElement(type: Node['type'], props: object | null, ...children: unknown[]) {
  const own: Props = { ...props }
  if (children.length > 0) own.children = children.length === 1 ? children[0] : children
  return jsx(type, own)
}

export { createElement as h }

export function cloneElement({ type, props }: Node, others: object, ...children: unknown[]): Node {
  return createElement(type, { ...props, ...others }, ...children)
}

export function isValidElement(value: unknown): boolean {
  return (value as Node | null | undefined)?.is === element
}

export function Fragment({ children }: Props): unknown {
  return children
}

/* @__NO_SIDE_EFFECTS__ */
export function forwardRef(draw: (props: Props, ref: unknown) => unknown): Component {
  return (props) => draw(props, props.ref)
}

export function createContext<Value>(value: Value): Context<Value> {
  const Provider: Component = ({ children }) => children
  const context = { value, Provider }
  Provider.provides = context
  return context
}

export function useContext<Value>({ value }: Context<Value>): Value {
  return value
}

const ignore = () => {}

function first<Value>(value: Value | (() => Value)): Value {
  return value instanceof Function ? value() : value
}

export function useState<Value>(value: Value | (() => Value)) {
  return [first(value), ignore] as const
}

export function useRef<Value>(current: Value) {
  return { current }
}

export function useMemo<Value>(make: () => Value): Value {
  return make()
}

export function useCallback<Callback>(callback: Callback): Callback {
  return callback
}

export {
  ignore as useDebugValue,
  ignore as useEffect,
  ignore as useInsertionEffect,
  ignore as useLayoutEffect,
}

export function useSyncExternalStore<Value>(
  _: unknown,
  read: () => Value,
  readPublished = read,
): Value {
  return readPublished()
}

let ids = 0

/** Returns the same ids as Preact, which hydrates the page. */
export function useId(): string {
  return `P0-${ids++}`
}

export function renderToString(node: unknown): string {
  ids = 0
  return drawn(node, false)
}

function drawn(node: unknown, isSvg: boolean): string {
  if (typeof node === 'string') return escaped(node)
  if (typeof node === 'number') return `${node}`
  if (typeof node !== 'object' || node === null) return ''
  if (Array.isArray(node)) {
    let all = ''
    for (let index = 0; index < node.length; index += 1) all += drawn(node[index], isSvg)
    return all
  }
  const { is, type, props } = node as Node
  if (is !== element) return ''
  if (typeof type === 'string') return drawnElement(type, props, isSvg || type === 'svg')
  if (type.provides !== undefined) return drawnWithin(type.provides, props, isSvg)
  return drawn(type(props), isSvg)
}

function drawnWithin(
  context: { value: unknown },
  { value, children }: Props,
  isSvg: boolean,
): string {
  const outer = context.value
  context.value = value
  try {
    return drawn(children, isSvg)
  } finally {
    context.value = outer
  }
}

const voidElements = new Set(
  'area base br col embed hr img input link meta source track wbr'.split(' '),
)

function drawnElement(type: string, props: Props, isSvg: boolean): string {
  let markup = `<${type}`
  const names = isSvg ? svgNames : htmlNames
  for (const prop in props) {
    const value = props[prop]
    if (value === undefined || value === null || typeof value === 'function') continue
    const name = names.get(prop) ?? named(prop, isSvg)
    const isContent = name === '' || (name === 'value' && type === 'textarea')
    if (!isContent) markup += attribute(name, value)
  }
  const content = drawnContent(type, props, isSvg && type !== 'foreignObject')
  if (content === '' && voidElements.has(type)) return `${markup}/>`
  return `${markup}>${content}</${type}>`
}

function drawnContent(type: string, props: Props, isSvg: boolean): string {
  const raw = props.dangerouslySetInnerHTML as { readonly __html: string } | undefined
  if (raw !== undefined) return raw.__html
  const isField = type === 'textarea'
  return drawn(isField ? (props.value ?? props.defaultValue) : props.children, isSvg)
}

function attribute(name: string, value: unknown): string {
  if (typeof value === 'boolean' && !saysWhether(name)) return value ? ` ${name}` : ''
  return value === '' ? ` ${name}` : ` ${name}="${escaped(`${value}`)}"`
}

/** Whether the attribute writes booleans as text, `false` included: `aria-`, `data-` and two others. */
function saysWhether(name: string): boolean {
  return name[4] === '-' || name === 'draggable' || name === 'spellcheck'
}

const special = [
  ...['children', 'key', 'ref', 'dangerouslySetInnerHTML'].map((name) => [name, ''] as const),
  ['className', 'class'],
  ['htmlFor', 'for'],
  ['defaultValue', 'value'],
  ['defaultChecked', 'checked'],
] as const

/** Cache of the attribute name of each prop; '' for props that are no attribute. */
const htmlNames = new Map<string, string>(special)
const svgNames = new Map<string, string>(special)

function named(prop: string, isSvg: boolean): string {
  const name = isSvg ? prop : prop.toLowerCase()
  const names = isSvg ? svgNames : htmlNames
  names.set(prop, name)
  return name
}

/** In QuickJS `indexOf` is ten times faster than `includes`. */
function escaped(text: string): string {
  const isPlain = text.indexOf('&') < 0 && text.indexOf('<') < 0 && text.indexOf('"') < 0
  if (isPlain) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
