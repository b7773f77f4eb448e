// Texts and validation messages of single files of a batch.
import type { Values } from '../../api/schema'

/** Texts of single files, by row key. */
export type FileFields = Readonly<Record<string, Values>>
/** Validation messages, by row key and field name. */
export type FileProblems = Readonly<Record<string, Readonly<Record<string, string>>>>
