/** Soft hyphens and zero-width characters. Inside a word they hid it from the search and from the lint. */
export const UNSEEN = /[\u00ad\u200b-\u200d\u2060\ufeff]/g
