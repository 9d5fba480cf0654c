import { Problem } from '@signalbox/contract'

/**
 * Lists the query parameters that the delivery reads. It ignores all others, so that a proxy or a tracker may add some.
 */
export interface Query {
  readonly apiKey?: string
  readonly environment?: string
  readonly schema?: string
  /** Selects the names of values: `keys`, or `variables` for those of environment variables. */
  readonly names?: string
  /** Restricts the variables to `secrets`, or an OFREP answer for all flags to `flags`, for the provider of Kotlin. */
  readonly only?: string
  readonly lastEventId?: string
  /** Selects the form of a stream's events; `ofrep` for OFREP clients. */
  readonly events?: string
}

const known = ['apiKey', 'environment', 'schema', 'names', 'only', 'lastEventId', 'events'] as const
const nothing: Query = {}
const plainApiKey = /^apiKey=([0-9A-Za-z_]+)$/

/** Parses a query string. @throws {Problem} `invalid_query` when one of our parameters is repeated */
export function parseQuery(query: string): Query {
  if (query === '') return nothing
  const apiKey = plainApiKey.exec(query)?.[1]
  if (apiKey !== undefined) return { apiKey }
  const parameters = new URLSearchParams(query)
  const parsed: { -readonly [Name in keyof Query]: Query[Name] } = {}
  for (const name of known) {
    const values = parameters.getAll(name)
    if (values.length > 1) {
      throw new Problem('invalid_query', `Use the parameter "${name}" once.`)
    }
    if (values[0] !== undefined) parsed[name] = values[0]
  }
  return parsed
}
