// Runs at the start of every document, in all frames: records faults and finds elements for the tests.

/** The kinds of element that tests name, and the selector of each. */
export const roles = {
  button: 'button, summary, [role=button], input[type=submit]',
  checkbox: 'input[type=checkbox], [role=switch]',
  dialog: 'dialog[open], [role=dialog], [role=alertdialog]',
  heading: 'h1, h2, h3, h4, h5, h6',
  link: 'a[href]',
  listitem: 'li',
  option: 'option, [role=option]',
  radio: 'input[type=radio]',
  region: 'section, [role=region], [role=status], [role=alert]',
  tab: '[role=tab]',
  textbox:
    'input:not([type]), input[type=text], input[type=email], input[type=password], input[type=search], input[type=url], textarea, [contenteditable]',
} as const

/** An element: by role and accessible name, by its own text or by a selector; the first or the `nth` that is visible. */
export type Target = {
  readonly role?: keyof typeof roles
  /** Part of the name or text; `exact` compares the whole. */
  readonly name?: string
  readonly exact?: boolean
  readonly text?: string
  readonly css?: string
  readonly inside?: Target
  readonly nth?: number
  /** Searches the page in the editor's iframe. */
  readonly inFrame?: boolean
}

/** State of the elements that a target finds. */
export type Found = {
  readonly count: number
  /** Value of a field or rendered text of an element, without invisible characters. */
  readonly text: string
  readonly isFocused: boolean
  /** Middle of the element in the viewport; null while something covers it. */
  readonly point: { readonly x: number; readonly y: number } | null
}

export type PageTools = {
  find: (target: Target) => Found
  element: (target: Target) => Element | null
  takeFaults: () => string[]
}

const FAULTS_KEY = 'engine-test-faults'

/** Serialized by `pageScript`, so it may use nothing from outside but its parameters. */
function installPageTools(selectors: Record<string, string>, faultsKey: string) {
  const record = (fault: string) => {
    try {
      const former = JSON.parse(sessionStorage.getItem(faultsKey) ?? '[]') as string[]
      sessionStorage.setItem(faultsKey, JSON.stringify([...former, fault]))
    } catch {
      // A document without an origin has no storage; scripts of the site do not run in any.
    }
  }
  for (const level of ['error', 'warn'] as const) {
    const write = console[level].bind(console)
    console[level] = (...words) => {
      record(`console.${level}: ${words.map(String).join(' ')}`)
      write(...words)
    }
  }
  addEventListener('unhandledrejection', ({ reason }) => record(`rejected: ${reason}`))
  addEventListener('securitypolicyviolation', (event) =>
    record(`policy: ${event.effectiveDirective} refuses ${event.blockedURI} ${event.sample}`),
  )
  addEventListener(
    'error',
    (event) => {
      const source = event.target
      // Browsers report an observer that has to run once more in the next frame: nothing is wrong.
      if (event.message?.startsWith('ResizeObserver loop')) return
      // A module whose preload fails is loaded again by its import, which reports its own failure.
      if (source instanceof HTMLLinkElement && source.rel === 'modulepreload') return
      if (!(source instanceof Element)) record(`error: ${event.message}`)
      else record(`not loaded: ${source.getAttribute('src') ?? source.getAttribute('href')}`)
    },
    true,
  )
  // A navigation aborts what is still loading.
  let isLeaving = false
  addEventListener('beforeunload', () => {
    isLeaving = true
  })
  const load = window.fetch.bind(window)
  window.fetch = async (...args) => {
    const [input, options] = args
    const name = `${options?.method ?? 'GET'} ${input instanceof Request ? input.url : input}`
    try {
      const answer = await load(...args)
      if (!answer.ok && answer.status !== 304) record(`request: ${name} ${answer.status}`)
      return answer
    } catch (error) {
      if (!isLeaving && (error as Error).name !== 'AbortError') record(`request: ${name} ${error}`)
      throw error
    }
  }

  const plain = (text: string) =>
    text
      .replace(/\p{Cf}/gu, '')
      .replace(/\s+/g, ' ')
      .replaceAll('’', "'")
      .trim()
  const textOf = (element: Element) => {
    // biome-ignore lint/performance/useDomNodeTextContent: tests read what is rendered
    return plain((element as HTMLElement).innerText ?? element.textContent ?? '')
  }
  const nameOf = (element: Element): string => {
    const by = element.getAttribute('aria-labelledby')
    const owner = element.ownerDocument
    if (by !== null)
      return plain(
        by
          .split(/\s+/)
          .map((id) => owner.getElementById(id)?.textContent ?? '')
          .join(' '),
      )
    const label = element.getAttribute('aria-label')
    if (label !== null) return plain(label)
    const { labels } = element as HTMLInputElement
    if (labels && labels.length > 0)
      return plain([...labels].map((one) => one.textContent).join(' '))
    const pictures = [...element.querySelectorAll('img[alt]')].map((one) => one.getAttribute('alt'))
    return plain(
      [textOf(element), ...pictures, element.getAttribute('title') ?? ''].join(' ') ||
        (element.getAttribute('placeholder') ?? ''),
    )
  }
  const isVisible = (element: Element) => {
    const [box] = element.getClientRects()
    if (box === undefined || box.width === 0 || box.height === 0) return false
    return getComputedStyle(element).visibility === 'visible'
  }
  const isCalled = (words: string, wanted: string, isExact: boolean) =>
    isExact ? words === plain(wanted) : words.includes(plain(wanted))
  /** The editor draws its tools in the page in a shadow tree of `<body>`. */
  const withShadows = (parent: ParentNode): ParentNode[] => {
    const hosts = parent.nodeType === Node.DOCUMENT_NODE ? parent.querySelectorAll('body > *') : []
    return [parent, ...[...hosts].flatMap(({ shadowRoot }) => shadowRoot ?? [])]
  }
  const all = (target: Target): Element[] => {
    const frame = document.querySelector<HTMLIFrameElement>('iframe[sandbox~=allow-scripts]')
    const root = target.inFrame ? frame?.contentDocument : document
    const parents = target.inside
      ? all({ ...target.inside, inFrame: target.inFrame ?? false })
      : root
        ? [root]
        : []
    const selector = target.css ?? (target.role ? selectors[target.role] : undefined) ?? 'body *'
    const isRole = (element: Element) => {
      const role = element.getAttribute('role')
      return (
        role === null ||
        target.css !== undefined ||
        element.matches(`[role=${target.role}]`) ||
        (target.role === 'dialog' && role === 'alertdialog') ||
        (target.role === 'region' && ['status', 'alert'].includes(role)) ||
        (target.role === 'checkbox' && role === 'switch') ||
        (target.role === 'textbox' && role !== 'combobox')
      )
    }
    const found = parents
      .flatMap(withShadows)
      .flatMap((parent) => [...parent.querySelectorAll(selector)])
      .filter((one) => target.role === undefined || isRole(one))
      .filter(isVisible)
      .filter(
        (one) =>
          target.name === undefined || isCalled(nameOf(one), target.name, target.exact ?? false),
      )
      .filter(
        (one) =>
          target.text === undefined || isCalled(textOf(one), target.text, target.exact ?? false),
      )
    // By text alone the innermost elements count.
    return selector === 'body *'
      ? found.filter((one) => !found.some((other) => other !== one && one.contains(other)))
      : found
  }
  /** The middle of the first line of an element, if a press there reaches it. */
  const pointOf = (element: Element) => {
    const owner = element.ownerDocument
    const view = owner.defaultView
    const [box] = element.getClientRects()
    if (box === undefined || view === null) return null
    const x = box.left + box.width / 2
    const y = box.top + box.height / 2
    const root = element.getRootNode() as Document | ShadowRoot
    const hit = root.elementFromPoint(x, y)
    const control = hit?.closest('label')?.control
    if (hit === null || !(element.contains(hit) || control === element)) return null
    const frame = view.frameElement?.getBoundingClientRect()
    if (frame === undefined) return { x, y }
    const over = document.elementFromPoint(x + frame.left, y + frame.top)
    return over === view.frameElement ? { x: x + frame.left, y: y + frame.top } : null
  }
  const element = (target: Target) => all(target)[target.nth ?? 0] ?? null
  const tools: PageTools = {
    element: (target) => element(target),
    find: (target) => {
      const found = all(target)
      const one = found[target.nth ?? 0]
      if (one === undefined) return { count: found.length, text: '', isFocused: false, point: null }
      let point = pointOf(one)
      if (point === null) {
        one.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
        point = pointOf(one)
      }
      const owner = one.ownerDocument
      const text = 'value' in one && typeof one.value === 'string' ? one.value : textOf(one)
      const isFocused = owner.hasFocus() && owner.activeElement === one
      return { count: found.length, text, isFocused, point }
    },
    takeFaults: () => {
      const faults = JSON.parse(sessionStorage.getItem(faultsKey) ?? '[]') as string[]
      sessionStorage.removeItem(faultsKey)
      return faults
    },
  }
  Object.assign(window, { pageTools: tools })
}

export const pageScript = `(${installPageTools})(${JSON.stringify(roles)}, ${JSON.stringify(FAULTS_KEY)})`
