import { randomUUID } from 'node:crypto'
import {
  identifierOf,
  type LinearIssue,
  type LinearState,
  type LinearStateType,
  type LinearTeam,
} from './state.ts'

/** Describes an issue to add. */
export interface NewLinearIssue {
  /** The key of a team. */
  readonly team: string
  readonly title: string
  /** Default `Todo`, of the type `unstarted`. */
  readonly state?: { readonly name: string; readonly type: LinearStateType }
  readonly priorityLabel?: string
  readonly assignee?: string
}

export function addTeam(
  state: LinearState,
  { key, name }: Pick<LinearTeam, 'key' | 'name'>,
): LinearTeam {
  const team = { id: randomUUID(), key, name, isHidden: false, lastNumber: 0 }
  state.teams.set(key, team)
  return team
}

/** Adds an issue under the next number of its team. */
export function addIssue(state: LinearState, issue: NewLinearIssue): LinearIssue {
  const team = teamOf(state, issue.team)
  team.lastNumber += 1
  const added: LinearIssue = {
    id: randomUUID(),
    team,
    number: team.lastNumber,
    previousIdentifiers: [],
    title: issue.title,
    priorityLabel: issue.priorityLabel ?? 'No priority',
    assignee: issue.assignee,
    state: issue.state ?? { name: 'Todo', type: 'unstarted' },
    archivedAt: undefined,
  }
  state.issues.set(added.id, added)
  return added
}

/** Moves an issue to another team, where it gets another number and keeps its former key. */
export function moveIssue(state: LinearState, key: string, to: string): LinearIssue {
  const issue = issueOf(state, key)
  issue.previousIdentifiers.push(identifierOf(issue))
  issue.team = teamOf(state, to)
  issue.team.lastNumber += 1
  issue.number = issue.team.lastNumber
  return issue
}

/** Finds an issue by its id, its key or a former key. @throws {Error} when there is none. */
export function issueOf(state: LinearState, key: string): LinearIssue {
  const issue = findIssue(state, key)
  if (issue === undefined) throw new Error(`There is no issue ${key}`)
  return issue
}

/** Finds an issue by its id, its key or a former key. A key of today counts before a former one. */
export function findIssue(state: LinearState, key: string): LinearIssue | undefined {
  const all = [...state.issues.values()]
  return (
    state.issues.get(key) ??
    all.find((issue) => identifierOf(issue) === key) ??
    all.find(({ previousIdentifiers }) => previousIdentifiers.includes(key))
  )
}

/** Finds a team by its key. @throws {Error} when there is none. */
export function teamOf(state: LinearState, key: string): LinearTeam {
  const team = state.teams.get(key)
  if (team === undefined) throw new Error(`There is no team ${key}`)
  return team
}
