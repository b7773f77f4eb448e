/** Where a word may be broken, and nothing else is seen of it: it hid the word. */
export const UNSEEN = /[\u00ad\u200b-\u200d\u2060\ufeff]/g
