// The oldest browsers in which everything works, and what newer features fall back to in them.
//
// `browser-floor.test.ts` compares the features that the sources use with MDN's compatibility data.

export const browserFloor = { chrome: 120, firefox: 128, safari: 16.4 } as const

/** Targets of the build: syntax and prefixes for the floor. */
export const scriptTarget = ['chrome120', 'firefox128', 'safari16.4']
export const styleTarget = ['chrome120', 'firefox128', 'safari16.4', 'ios16.4']

type NewerFeature = {
  /** As `browser-floor.test.ts` reports it. */
  readonly name: string
  /** What older browsers do. */
  readonly fallback: string
  /** The browser test that switches the feature off; absent where nothing but looks is lost. */
  readonly test?: string
}

/** Features that a browser of the floor lacks. */
export const newerFeatures: readonly NewerFeature[] = [
  {
    name: '<closedby>',
    fallback: 'the script closes a dialog at a press outside of it',
    test: 'without closedby and command a press outside closes the drawer and the preferences',
  },
  {
    name: '<command>',
    fallback: 'the button has a click handler',
    test: 'without closedby and command a press outside closes the drawer and the preferences',
  },
  {
    name: '<commandfor>',
    fallback: 'the button has a click handler',
    test: 'without closedby and command a press outside closes the drawer and the preferences',
  },
  {
    name: '<popover>',
    fallback: 'tooltips and hints lie in the layer of their dialog, above its content',
    test: 'without popovers tooltips are seen beside their control',
  },
  {
    name: '.showPopover',
    fallback: 'is not called',
    test: 'without popovers tooltips are seen beside their control',
  },
  {
    name: '.checkVisibility',
    fallback: '`isRendered` measures boxes',
    test: 'without checkVisibility Tab goes on from text to text of an edited page',
  },
  {
    name: 'field-sizing',
    fallback: 'the title of an article is measured; other fields scroll and can be enlarged',
    test: 'without field-sizing the title of an article shows all its lines',
  },
  {
    name: 'navigator.share',
    fallback: 'the address is copied instead',
    test: 'a notice is reached by F8 and goes by its button, by a swipe or by itself',
  },
  {
    name: '.canShare',
    fallback: 'the picture of an event is saved as a file',
    test: 'gives a post, a story, a sheet and the text to send',
  },
  { name: 'size', fallback: "a sheet of an event takes the printer's size" },
  {
    name: '.moveBefore',
    fallback: 'a preview is removed with its card',
    test: 'without moveBefore a page opens from the list of pages, and its previews go at once',
  },
  { name: '.deliveryType', fallback: 'a prefetched visit is counted by the server' },
  { name: '.saveData', fallback: 'the connection counts as fast' },
  { name: '.effectiveType', fallback: 'the connection counts as fast' },
  { name: 'navigator.connection', fallback: 'the connection counts as fast' },
  {
    name: 'CSS.highlights',
    fallback: 'hints on the text are listed beside it, without marks',
    test: 'without CSS highlights the words to review are still listed',
  },
  {
    name: ':highlight',
    fallback: 'hints on the text are listed beside it, without marks',
    test: 'without CSS highlights the words to review are still listed',
  },
  {
    name: '@media (scripting)',
    fallback:
      'endless movement is off; the rules for pages without scripts do not apply, which `[data-plain]` does instead',
  },
  { name: '@media (prefers-reduced-transparency)', fallback: 'no blur behind dialogs' },
  { name: 'backdrop-filter', fallback: 'the build adds the prefix' },
  { name: 'user-select', fallback: 'the build adds the prefix' },
  { name: '<fetchpriority>', fallback: "the browser's own order of loading" },
  { name: 'text-wrap', fallback: 'lines break as they fill' },
  { name: 'interpolate-size', fallback: 'answers open without a transition' },
  {
    name: ':details-content',
    fallback: 'answers open without a transition; print shows the open ones',
  },
  { name: 'content-visibility', fallback: 'print shows the open answers' },
  { name: 'scrollbar-width', fallback: "the system's scroll bars" },
  { name: 'scrollbar-color', fallback: "the system's scroll bars" },
  {
    name: 'scrollbar-gutter',
    fallback: 'the page moves by the width of the scroll bar behind a dialog',
  },
  { name: 'forced-color-adjust', fallback: 'Safari has no forced colours' },
  { name: 'text-decoration: dotted', fallback: "the shorthand's line is solid" },
  { name: '@page', fallback: "the printer's own margins" },
  { name: 'break-after: avoid', fallback: 'a heading may end a printed page' },
  { name: ':-webkit-progress-bar', fallback: 'Firefox has `::-moz-progress-bar`' },
  { name: ':-webkit-progress-value', fallback: 'Firefox has `::-moz-progress-bar`' },
  { name: ':-moz-progress-bar', fallback: 'the others have `::-webkit-progress-value`' },
  { name: ':-webkit-search-cancel-button', fallback: 'Firefox has no such button' },
]
