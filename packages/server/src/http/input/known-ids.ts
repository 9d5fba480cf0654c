import { Problem, type ProblemLocation } from '@signalbox/contract'
import { toJsonPointer } from './json-pointer.ts'
import { summarizeErrors } from './validate.ts'

/** Names an id in a body, and where it stands. */
export interface NamedId {
  readonly path: readonly PropertyKey[]
  /** Nothing to look for where it is left out. */
  readonly id: string | null | undefined
}

/** Describes ids of one kind that a request names, and those that there are. */
export interface NamedIds {
  readonly named: readonly NamedId[]
  readonly known: { has(id: string): boolean }
  /** Says what an id that is not known is, without it. */
  readonly detail: string
}

/** Returns the ids of a list in a body, each with its place. */
export function nameIds(
  path: readonly PropertyKey[],
  ids: readonly string[] | null | undefined,
): NamedId[] {
  return (ids ?? []).map((id, at) => ({ path: [...path, at], id }))
}

/** Says of an id that the organization has nothing of it: the same of one that is absent and one that is another's. */
export function describeUnknown(what: string): string {
  return `The organization has no ${what} with this id.`
}

/**
 * Refuses a body for the ids that are not known, of all kinds together.
 *
 * @throws {Problem} `validation_failed` with a pointer to each.
 */
export function requireKnownIds(...kinds: readonly NamedIds[]): void {
  refuseErrors(listUnknown(kinds).map(({ path, detail }) => locate(path, detail)))
}

/**
 * Refuses a query for the ids that are not known, of all kinds together.
 *
 * @throws {Problem} `invalid_query` with a pointer to each.
 */
export function requireKnownIdsOfQuery(...kinds: readonly NamedIds[]): void {
  const errors = listUnknown(kinds).map(({ path, detail }) => {
    return { pointer: `?${path.join('.')}`, code: 'invalid_query', detail } as const
  })
  if (errors.length > 0) throw new Problem('invalid_query', summarizeErrors(errors), { errors })
}

function listUnknown(kinds: readonly NamedIds[]) {
  return kinds.flatMap(({ named, known, detail }) =>
    named.flatMap(({ path, id }) =>
      id === null || id === undefined || known.has(id) ? [] : [{ path, detail }],
    ),
  )
}

/**
 * Refuses a body that names an id twice where each may stand once.
 *
 * @throws {Problem} `validation_failed` with a pointer to each that stands there already.
 */
export function requireDistinctIds(named: readonly NamedId[], detail: string): void {
  const met = new Set<NamedId['id']>()
  refuseErrors(
    named.flatMap(({ path, id }) => {
      if (met.has(id)) return [locate(path, detail)]
      met.add(id)
      return []
    }),
  )
}

function locate(path: readonly PropertyKey[], detail: string): ProblemLocation {
  return { pointer: toJsonPointer(path), code: 'validation_failed', detail }
}

function refuseErrors(errors: readonly ProblemLocation[]): void {
  if (errors.length > 0) throw new Problem('validation_failed', summarizeErrors(errors), { errors })
}
