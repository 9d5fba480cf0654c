import { z } from 'zod/v4'
import type { ConfigValue } from '../values/value-types.ts'
import { idBodyPattern, isAnyId, type IdKind } from '../ids.ts'
import { limits } from '../limits.ts'

/** Returns the shape of an id of `kind`. */
export const id = (kind: IdKind) =>
  z.string().regex(new RegExp(`^${kind}_${idBodyPattern}$`), `Use an id beginning with "${kind}_".`)

/** Describes a moment: ISO 8601 UTC with milliseconds. Example: `2026-11-21T06:00:00.000Z`. */
export const time = z.iso.datetime({ precision: 3 })

/** Describes a moment that a caller sends: ISO 8601 with any precision or offset. */
export const givenTime = z.iso
  .datetime({ offset: true })
  .refine(
    (text) => !Number.isNaN(Date.parse(text)),
    'Use a date and time as ISO 8601, such as 2027-01-31T00:00:00Z.',
  )

export const personName = z.string().trim().min(1).max(100)
/**
 * Refuses control characters in names, and characters that hide or reverse the text beside them in a list. Joiners
 * are letters in some scripts.
 */
const legible = z.regex(
  /^(?:[\u200C\u200D]|[^\p{C}\p{Zl}\p{Zp}])*$/u,
  'Leave out control characters and marks of text direction.',
)
/** Describes the name of a person as a caller sends it. */
export const givenPersonName = personName.check(legible)
/**
 * Describes an email address in lower case, as it is stored and compared. It is checked before its case is lost: the lower case of
 * the Kelvin sign is a k, and would match another address.
 */
export const emailAddress = z
  .string()
  .trim()
  .max(254)
  .pipe(z.email())
  .transform((text) => text.toLowerCase())
/** Describes a new password. Length makes it strong (NIST SP 800-63B §3.1.1.2), the server refuses what is common; the upper limit bounds the work of hashing. */
export const newPassword = z.string().min(12).max(256)
/** Describes a password to verify, whatever rules applied when it was chosen. */
export const typedPassword = z.string().max(256)
/** Describes six digits of the authenticator, or a recovery code; spaces and dashes mean nothing. */
export const secondFactorCode = z.string().min(1).max(40)
/** Describes the name that people give to something: organizations, keys, tokens, routes, test runs. */
export const displayName = z.string().trim().min(1).max(100)
/** Describes such a name as a caller sends it. */
export const givenDisplayName = displayName.check(legible)
/** Describes a description, in plain text. */
export const descriptionText = z.string().max(1000)
/** Describes the comment of a change. */
export const comment = z.string().max(1000)

/** Describes the names of the protected environments that a change is meant for, or the one name. Example: `production`. */
export const confirm = z
  .union([z.string().max(63), z.array(z.string().max(63)).max(limits.environmentsPerOrganization)])
  .transform((names) => (typeof names === 'string' ? [names] : names))

/** Returns the allowed name that is nearest to `text`, as the end of a sentence: `Checkout Service 🚀` → `, such as Checkout-Service`. */
function offer(text: string): string {
  const name = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9._]/)
    .filter((part) => part !== '')
    .join('-')
    .replace(/^[._-]+/, '')
    .slice(0, 63)
  return name === '' ? '' : `, such as ${name}`
}

/** Describes the names of environments and schemas. They appear in URLs and on command lines, so they stay plain. */
export const resourceName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, {
    error: ({ input }) =>
      `Use 1 to 63 letters, digits, ".", "_" or "-", beginning with a letter or digit${offer(String(input))}.`,
  })
  .refine((name) => !isAnyId(name), 'A name may not look like an id.')

/** Describes the name of an organization in addresses. */
export const slug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'Use 1 to 63 lower-case letters, digits or "-".')

/** Describes the query of an endpoint that pages: position and length. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(limits.pageItems).default(50),
  cursor: z.string().max(1000).optional(),
}

/** Returns the shape of a page of `item`. */
export const page = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() })

/** Describes a flag in a query string: `true`, `false`, `1`, `0`, or the bare name. */
export const queryFlag = z
  .enum(['true', 'false', '1', '0', ''])
  .default('false')
  .transform((text) => text === 'true' || text === '1' || text === '')

/** Accepts paths of this server only: a browser that comes back from somewhere else is sent there. Browsers leave control characters out of an address. */
export const ownPath = z
  .string()
  .max(2_000)
  .regex(/^\/(?!\/)[^\\\p{Cc}]*$/u, 'Use a path of this server, such as /settings/integrations.')
  // Allows the characters of a header. Others would fail there, after everything else is done.
  .transform((path) => path.toWellFormed().replaceAll(/[^!-~]+/g, encodeURIComponent))

/** Describes who made a change. A key or a person that was deleted keeps its name here. */
export const author = z.object({
  type: z.enum(['user', 'api_key', 'bootstrap', 'system']),
  id: z.string().nullable(),
  name: z.string(),
})

/** Describes what somebody was signed in with when they made something that goes on when it ends. A token keeps its name here. */
export const credential = z.object({
  type: z.enum(['session', 'personal_access_token', 'agent_token', 'bootstrap']),
  /** Holds the id of the token or session. `null`: the bootstrap token. */
  id: z.string().nullable(),
  /** Holds the name of the token. `null`: it has none, such as a session. */
  name: z.string().nullable(),
})

/** Describes the full name of a repository as a filter; case doesn't matter. Example: `acme/shop`. */
export const repositoryName = z.string().min(1).max(255)
/** Checks the hash of a commit, whole or shortened to seven digits or more. */
export const commitSha = z.string().regex(/^[0-9a-f]{7,64}$/, 'Use the hash of a commit.')
/** Checks an address of the web. */
export const webLink = z.url({ protocol: /^https?$/ }).max(2000)

/** Describes a value: a text, a number, a boolean, or of the type `json` an object or a list. */
export const configValue: z.ZodType<ConfigValue, ConfigValue> = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.record(z.string(), z.unknown()),
  z.array(z.unknown()),
])
