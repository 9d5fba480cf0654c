import { entityNotFound, invalidInput } from './errors.ts'
import { identifierOf, type LinearIssue, type LinearState, type LinearTeam } from './state.ts'
import { findIssue } from './write-state.ts'

interface StringComparator {
  readonly eq?: string | null
  readonly in?: readonly string[] | null
  readonly containsIgnoreCase?: string | null
}
interface NumberComparator {
  readonly eq?: number | null
  readonly in?: readonly number[] | null
}
interface TeamFilter {
  readonly and?: readonly TeamFilter[] | null
  readonly or?: readonly TeamFilter[] | null
  readonly key?: StringComparator | null
  readonly name?: StringComparator | null
}
interface IssueFilter {
  readonly and?: readonly IssueFilter[] | null
  readonly or?: readonly IssueFilter[] | null
  readonly team?: TeamFilter | null
  readonly number?: NumberComparator | null
}
interface Paging {
  readonly first?: number | null
  readonly after?: string | null
  readonly includeArchived?: boolean | null
}

const pageSizeDefault = 50
const pageSizeMax = 250

/** Creates the root of the queries. `origin` is the address of Linear's pages. */
export function createRoot(state: LinearState, origin: string) {
  return {
    organization: state.workspace,
    viewer: { ...state.appUser, displayName: state.appUser.name, app: true },
    issue({ id }: { readonly id: string }) {
      const issue = findIssue(state, id)
      if (issue === undefined || !isVisible(issue)) throw entityNotFound('Issue')
      return present(state, issue, origin)
    },
    issues({ filter, ...paging }: Paging & { readonly filter?: IssueFilter | null }) {
      const matching = [...state.issues.values()].filter(
        (issue) =>
          isVisible(issue) &&
          (paging.includeArchived === true || issue.archivedAt === undefined) &&
          matchesIssue(issue, filter ?? {}),
      )
      return connect(paging, matching, (issue) => present(state, issue, origin))
    },
    teams({ filter, ...paging }: Paging & { readonly filter?: TeamFilter | null }) {
      const matching = [...state.teams.values()].filter(
        (team) => !team.isHidden && matchesTeam(team, filter ?? {}),
      )
      return connect(paging, matching, ({ id, key, name }) => ({ id, key, name, archivedAt: null }))
    },
  }
}

function isVisible({ team }: LinearIssue): boolean {
  return !team.isHidden
}

function present(state: LinearState, issue: LinearIssue, origin: string) {
  const { id, number, title, priorityLabel, previousIdentifiers, team, assignee } = issue
  const identifier = identifierOf(issue)
  return {
    id,
    identifier,
    number,
    title,
    priorityLabel,
    previousIdentifiers,
    team: { id: team.id, key: team.key, name: team.name, archivedAt: null },
    state: { id: `${team.id}:${issue.state.name}`, ...issue.state },
    assignee:
      assignee === undefined
        ? null
        : { id: assignee, name: assignee, displayName: assignee, app: false },
    archivedAt: issue.archivedAt?.toISOString() ?? null,
    trashed: null,
    url: `${origin}/${state.workspace.urlKey}/issue/${identifier}`,
  }
}

/** Returns a page, in the order of creation, newest first as Linear's. The cursor is the number of what was before it. */
function connect<T, Node>({ first, after }: Paging, all: readonly T[], show: (one: T) => Node) {
  const size = first ?? pageSizeDefault
  if (size < 1 || size > pageSizeMax) throw invalidInput(`first must be 1 to ${pageSizeMax}`)
  const start = after === null || after === undefined ? 0 : Number(after)
  if (!Number.isInteger(start)) throw invalidInput('after is no cursor')
  const page = all.toReversed().slice(start, start + size)
  const end = start + page.length
  return {
    nodes: page.map(show),
    pageInfo: {
      startCursor: page.length === 0 ? null : String(start),
      endCursor: page.length === 0 ? null : String(end),
      hasNextPage: end < all.length,
      hasPreviousPage: start > 0,
    },
  }
}

function matchesIssue(issue: LinearIssue, filter: IssueFilter): boolean {
  const { and, or, team, number } = filter
  return (
    holds(and, (all) => all.every((one) => matchesIssue(issue, one))) &&
    holds(or, (some) => some.some((one) => matchesIssue(issue, one))) &&
    holds(team, (of) => matchesTeam(issue.team, of)) &&
    holds(number, (of) => matchesNumber(issue.number, of))
  )
}

function matchesTeam(team: LinearTeam, filter: TeamFilter): boolean {
  const { and, or, key, name } = filter
  return (
    holds(and, (all) => all.every((one) => matchesTeam(team, one))) &&
    holds(or, (some) => some.some((one) => matchesTeam(team, one))) &&
    holds(key, (of) => matchesText(team.key, of)) &&
    holds(name, (of) => matchesText(team.name, of))
  )
}

function matchesNumber(value: number, { eq, in: oneOf }: NumberComparator): boolean {
  return holds(eq, (one) => one === value) && holds(oneOf, (some) => some.includes(value))
}

function matchesText(
  value: string,
  { eq, in: oneOf, containsIgnoreCase }: StringComparator,
): boolean {
  return (
    holds(eq, (one) => one === value) &&
    holds(oneOf, (some) => some.includes(value)) &&
    holds(containsIgnoreCase, (part) => value.toLowerCase().includes(part.toLowerCase()))
  )
}

/** Returns whether a part of a filter holds. One that is left out always does. */
function holds<T>(part: T | null | undefined, check: (part: T) => boolean): boolean {
  return part === null || part === undefined || check(part)
}
