// For tests of what moves, or that look at the site as most people do.

/** `test.use(withMotion)` */
export const withMotion = { contextOptions: { reducedMotion: 'no-preference' } } as const
