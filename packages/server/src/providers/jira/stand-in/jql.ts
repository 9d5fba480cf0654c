import { findIssue, visibleProjects, type JiraIssue, type JiraSite } from './state.ts'

/** Describes the result of a search, or Jira's rejection. */
export type JqlResult =
  | { readonly outcome: 'found'; readonly issues: readonly JiraIssue[] }
  | { readonly outcome: 'refused'; readonly message: string }

type Test = (issue: JiraIssue) => boolean

const clausePattern = /^(key|issuekey|issue|id|project)\s*(?:=\s*(.+)|in\s*\((.+)\))$/i
const orderPattern = /^(key|issuekey|id|created|updated)(?:\s+(asc|desc))?$/i

/**
 * Runs the part of JQL that finds issues by key and by project: `key in (ABC-1, ABC-2)`, `project = ABC`,
 * `project in (ABC, WEB2)`, joined by `AND`, with an `ORDER BY` of one field. Newest first without one.
 */
export function runJql(site: JiraSite, jql: string): JqlResult {
  const [restriction = '', order] = jql.trim().split(/\s*\border\s+by\s+/i)
  if (restriction === '') {
    return refused(
      'Unbounded JQL queries are not allowed here. Please add a search restriction to your query.',
    )
  }
  const compare = readOrder(order)
  if (compare === undefined) return refused(unread(jql))
  const tests: Test[] = []
  for (const clause of restriction.split(/\s+and\s+/i)) {
    const test = readClause(site, clause.trim())
    if (test === undefined) return refused(unread(jql))
    if (typeof test === 'string') return refused(test)
    tests.push(test)
  }
  // A condition on a hidden project was refused above, so no hidden issue matches.
  const issues = [...site.issues.values()].filter((issue) => tests.every((test) => test(issue)))
  return { outcome: 'found', issues: issues.toSorted(compare) }
}

function refused(message: string): JqlResult {
  return { outcome: 'refused', message }
}

function unread(jql: string): string {
  return `Error in the JQL Query: the sandbox does not read '${jql}'.`
}

/** Returns the condition of a clause, or the fault of its values. `undefined`: it is another kind of clause. */
function readClause(site: JiraSite, clause: string): Test | string | undefined {
  const [, field, one, several] = clausePattern.exec(clause) ?? []
  if (field === undefined) return undefined
  const values = (one === undefined ? (several ?? '').split(',') : [one]).map(unquote)
  return field.toLowerCase() === 'project' ? testProjects(site, values) : testKeys(site, values)
}

function unquote(value: string): string {
  return value.trim().replace(/^(["'])(.*)\1$/, '$2')
}

function testProjects(site: JiraSite, values: readonly string[]): Test | string {
  const ids = new Set<number>()
  for (const value of values) {
    const project = visibleProjects(site).find(({ id, key, name }) =>
      [String(id), key, name].some((known) => known.toLowerCase() === value.toLowerCase()),
    )
    if (project === undefined) {
      return `The value '${value}' does not exist for the field 'project'.`
    }
    ids.add(project.id)
  }
  return ({ project }) => ids.has(project.id)
}

function testKeys(site: JiraSite, values: readonly string[]): Test | string {
  const ids = new Set<number>()
  for (const value of values) {
    const issue = findIssue(site, value)
    if (issue === undefined) {
      return `An issue with key '${value}' does not exist for field 'key'.`
    }
    ids.add(issue.id)
  }
  return ({ id }) => ids.has(id)
}

function readOrder(
  order: string | undefined,
): ((one: JiraIssue, other: JiraIssue) => number) | undefined {
  if (order === undefined) return (one, other) => other.id - one.id
  const [, field, direction = 'asc'] = orderPattern.exec(order.trim()) ?? []
  if (field === undefined) return undefined
  const sign = direction.toLowerCase() === 'asc' ? 1 : -1
  return (one, other) => sign * compareBy(field.toLowerCase(), one, other)
}

function compareBy(field: string, one: JiraIssue, other: JiraIssue): number {
  switch (field) {
    case 'created':
      return one.createdAt.getTime() - other.createdAt.getTime()
    case 'updated':
      return one.updatedAt.getTime() - other.updatedAt.getTime()
    case 'id':
      return one.id - other.id
    default:
      return one.key.localeCompare(other.key, 'en', { numeric: true })
  }
}
