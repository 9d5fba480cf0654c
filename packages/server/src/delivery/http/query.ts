import { Problem } from '@signalbox/contract'

/** The parameters delivery reads. All others are ignored, so that a proxy's or tracker's additions change nothing. */
export interface Query {
  readonly apiKey?: string
  readonly environment?: string
  readonly schema?: string
  readonly lastEventId?: string
  /** In which form a stream tells of changes. `ofrep`: for OFREP's clients. */
  readonly events?: string
}

const known = ['apiKey', 'environment', 'schema', 'lastEventId', 'events'] as const
const nothing: Query = {}
const plainApiKey = /^apiKey=([0-9A-Za-z_]+)$/

/** Reads a query string. @throws {Problem} `invalid_query` when a parameter we read is given twice. */
export function parseQuery(query: string): Query {
  if (query === '') return nothing
  const apiKey = plainApiKey.exec(query)?.[1]
  if (apiKey !== undefined) return { apiKey }
  const parameters = new URLSearchParams(query)
  const found: { -readonly [Name in keyof Query]: Query[Name] } = {}
  for (const name of known) {
    const values = parameters.getAll(name)
    if (values.length > 1) {
      throw new Problem('invalid_query', `Give the parameter "${name}" once.`)
    }
    if (values[0] !== undefined) found[name] = values[0]
  }
  return found
}
