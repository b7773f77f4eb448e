// Options for tests of animations, or of the site with its default motion.

/** `test.use(withMotion)` */
export const withMotion = { contextOptions: { reducedMotion: 'no-preference' } } as const
