// What single files of a batch of pictures say beside the texts that they share.
import type { Values } from '../../api/schema'

/** Texts of single files of a batch, by the row's key. */
export type FileFields = Readonly<Record<string, Values>>
/** What is wrong with them, by the row's key and the field's name. */
export type FileProblems = Readonly<Record<string, Readonly<Record<string, string>>>>
