import { z } from 'zod'

/** Parses a number as text: JavaScript cannot hold all of them. */
export const externalId = z
  .union([z.number().int().nonnegative(), z.string().regex(/^\d{1,20}$/)])
  .transform(String)

/** Parses text that may be missing, as `null`. */
export const textOrNull = z
  .string()
  .nullish()
  .catch(null)
  .transform((text) => text ?? null)

/** Parses an address that people press, chosen by the writer of a status: a page on the web, and no program that it starts. */
export const pageOrNull = textOrNull.transform((link) =>
  link !== null && /^https?:\/\//i.test(link) && URL.canParse(link) ? link : null,
)

/** Parses the hash of a commit, of SHA-1 or SHA-256; anything else as `undefined`. */
export const commitSha = z
  .string()
  .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/)
  .optional()
  .catch(undefined)

/** Parses a list whose items are looked at one by one. */
export const list = z.array(z.unknown())
