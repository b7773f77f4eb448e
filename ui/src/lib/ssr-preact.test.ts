import * as preact from 'preact'
import * as hooks from 'preact/hooks'
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import * as once from './ssr-preact'

type Inert = 'useCallback' | 'useEffect' | 'useLayoutEffect' | 'useMemo'
/** API of both implementations, with loose types. */
type Kit = Omit<typeof once, Inert> & Pick<typeof hooks, Inert>
type Draw = (kit: Kit) => unknown

const known = { ...preact, ...hooks, renderToString } as unknown as Kit
const own = once as unknown as Kit

function both(draw: Draw): string {
  const markup = own.renderToString(draw(own))
  expect(markup).toBe(known.renderToString(draw(known)))
  return markup
}

test('texts, numbers and nothing are drawn as Preact draws them', () => {
  const children = ['a & b < c > "d" \'e\'', 0, 7, '', null, undefined, true, false, [['f'], 'g']]
  both(({ h }) => h('p', null, children))
  both(({ h }) => h('p', null, 'one', 'two'))
  both(({ h, Fragment }) => h(Fragment, null, h('b', null, 'x'), h(Fragment, null, 'y')))
  expect(both(({ h }) => h('p', { dangerouslySetInnerHTML: { __html: '<b>&' } }))).toBe(
    '<p><b>&</p>',
  )
})

test('data is never an element, whatever it looks like', () => {
  const typed = JSON.parse('{"type":"script","props":{"children":"x"},"is":"element"}')
  expect(both(({ h }) => h('p', null, typed))).toBe('<p></p>')
})

test('attributes are called and written as Preact writes them', () => {
  const shown = { class: 'a "b" & <c>', id: '', width: 0, tabIndex: -1, hidden: true }
  const left = { title: null, lang: undefined, disabled: false, onClick: () => {}, key: 'k' }
  const said = { 'aria-hidden': false, 'aria-busy': true, 'data-x': '', draggable: false }
  for (const props of [shown, left, said]) both(({ h }) => h('a', props, 'x'))
  both(({ h }) => h('label', { htmlFor: 'x', className: 'y' }, 'z'))
  both(({ h }) => h('form', { noValidate: true, autoComplete: 'off', spellcheck: false }))
  both(({ h }) => h('input', { defaultValue: '"', maxLength: 3, readOnly: true }))
  both(({ h }) => h('input', { type: 'radio', value: 5, defaultChecked: true }))
  both(({ h }) => h('textarea', { defaultValue: 'a < b', rows: 2 }))
  both(({ h }) => h('textarea', { value: '' }))
})

test('elements without content are closed, drawings keep their names', () => {
  both(({ h }) => h('p', null, h('br', null), h('img', { src: 'x', alt: '' }), h('span', null)))
  const box = { viewBox: '0 0 1 1', preserveAspectRatio: 'none', 'stroke-width': '2' }
  both(({ h }) => h('svg', box, h('path', { d: 'M0 0', 'fill-rule': 'evenodd' })))
})

test('components, their hooks and their contexts are drawn as for the first time', () => {
  both((kit) => {
    const { h, createContext } = kit
    const Place = createContext('outside')
    const Told = () => h('i', { id: kit.useId() }, kit.useContext(Place))
    const Counted: Parameters<Kit['h']>[0] = ({ from, children }) => {
      const [count] = kit.useState(() => Number(from))
      const box = kit.useRef(null)
      kit.useEffect(() => expect.unreachable())
      kit.useLayoutEffect(() => expect.unreachable())
      const twice = kit.useMemo(() => 2 * count, [count])
      const ask = kit.useCallback(() => count, [count])
      return h('p', { ref: box, onClick: ask }, twice, children)
    }
    const inner = h(Place.Provider, { value: 'inside', children: [h(Told, null), h(Told, null)] })
    return h('div', null, h(Counted, { from: 3 }, inner), h(Told, null))
  })
})

test('what fails within a context leaves none of it behind', () => {
  const { h, createContext, useContext } = own
  const Place = createContext('outside')
  const Fails = () => {
    throw new Error('guasto')
  }
  const Told = () => h('i', null, useContext(Place))
  const failing = h(Place.Provider, { value: 'inside', children: h(Fails, null) })
  expect(() => own.renderToString(failing)).toThrow('guasto')
  expect(own.renderToString(h(Told, null))).toBe('<i>outside</i>')
})

test('who looks at elements as they are made is asked here too', () => {
  both((kit) => {
    const former = kit.options.vnode
    kit.options.vnode = ({ type, props }) => {
      if (type === 'b') props.children = 'set'
    }
    const made = kit.h('p', null, kit.h('b', null, 'typed'))
    if (former) kit.options.vnode = former
    else delete kit.options.vnode
    return made
  })
})
