/** Holds the end of the page before: its moment, and the id, which distinguishes the changes of one moment. */
export interface ChangePosition {
  /** Microseconds since 1970, as the database keeps them: many changes share a millisecond. */
  readonly micros: number
  readonly id: string
}

/** Holds what every change has. */
export interface ChangeRow extends ChangePosition {
  readonly at: Date
  readonly environmentId: string | null
}

/** Selects changes. What is left out selects all. */
export interface ChangeFilter {
  readonly environmentId?: string | undefined
  readonly from?: Date | undefined
  /** Holds the ids of the repositories of one name. */
  readonly repositoryIds?: readonly string[] | undefined
  /** Holds the name of an author in lower case. */
  readonly author?: string | undefined
  readonly key?: string | undefined
  /** Holds a part of a text in lower case. */
  readonly text?: string | undefined
}

/** Describes which changes a page has. */
export interface ListChangeRows extends ChangeFilter {
  readonly after: ChangePosition
  readonly limit: number
}

/** Reads the moment of a position, which is the parameter `$2`. */
export const moment = `'epoch'::timestamptz + $2::bigint * interval '1 microsecond'`

/** Holds a condition, and the name that it has in the name of a statement. */
export interface Clause {
  readonly name: string
  readonly value: unknown
  readonly sql: (parameter: string) => string
}

/** Returns a condition, or none for a filter that was left out. */
export function clause(name: string, value: unknown, sql: Clause['sql']): Clause[] {
  return value === undefined ? [] : [{ name, value, sql }]
}

/** Selects by repository. Of a single one the index holds the changes in their order. */
export function repositoryClauses({ repositoryIds }: ChangeFilter): Clause[] {
  const [only, ...others] = repositoryIds ?? []
  return others.length === 0 && only !== undefined
    ? clause('repository', only, (p) => `d.repository_id = ${p}`)
    : clause('repositories', repositoryIds, (p) => `d.repository_id = any (${p}::text[])`)
}

/** Returns the clauses of every kind, which differ by the alias of the table. */
export function commonClauses({ environmentId, from }: ChangeFilter, alias: string): Clause[] {
  return [
    ...clause('environment', environmentId, (p) => `${alias}.environment_id = ${p}`),
    ...clause('from', from, (p) => `${alias}.created_at >= ${p}`),
  ]
}

/**
 * Limits the rows of a kind that a search for a text reads, from where its page begins: no index finds a part of a text, and
 * reading 400,000 deployments took more than three seconds.
 */
const searchedMax = 10_000

/** Names a table, its alias, and what is searched of it. */
interface Searched {
  readonly table: string
  readonly alias: string
  readonly columns: string
}

/**
 * Selects the newest rows of a table before the page, and of these the ones that contain a text. The moment is a select of its own,
 * because row-level security keeps an index from being used for `coalesce`.
 */
export function textClause(
  text: string | undefined,
  { table, alias, columns }: Searched,
): Clause[] {
  return clause(
    'text',
    text,
    (p) => `${alias}.created_at >= (select coalesce((select n.created_at from ${table} n
          where n.org_id = $1 and n.created_at < ${moment}
          order by n.created_at desc offset ${searchedMax} limit 1), '-infinity'))
        and strpos(lower(${columns}), ${p}) > 0`,
  )
}

/** Holds the conditions of a statement and its values. */
interface Selection {
  readonly name: string
  readonly where: string
  readonly values: unknown[]
}

/** Joins the conditions of a page. Each combination of filters is a statement of its own, because it has an index of its own. */
export function select(
  what: string,
  orgId: string,
  { after, limit }: ListChangeRows,
  clauses: readonly Clause[],
): Selection {
  return {
    name: `list-${what}-changes-${clauses.map(({ name }) => name).join('-')}`,
    where: joinConditions(clauses),
    values: [orgId, after.micros, after.id, limit, ...clauses.map(({ value }) => value)],
  }
}

/** Returns conditions as SQL. Clauses of the same filters have the same parameters, whatever their alias. */
export function joinConditions(clauses: readonly Clause[]): string {
  return clauses.map(({ sql }, index) => ` and ${sql(`$${index + 5}`)}`).join('')
}
