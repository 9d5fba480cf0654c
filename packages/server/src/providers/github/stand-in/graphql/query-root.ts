import { GraphQLError } from '../../../../../../sandbox/src/models/graphql.ts'
import type { GithubCaller } from '../authorize.ts'
import { permissionsIn } from '../access/reach.ts'
import { addressesOf } from '../shapes/addresses.ts'
import { fullNameOf } from '../shapes/repository.ts'
import {
  findRepository,
  type GithubIssue,
  type GithubRepository,
  type GithubState,
} from '../state.ts'

/** Describes an object of the schema: each field is a value, or a function of its arguments. */
type GraphqlObject = Readonly<Record<string, unknown>> & { readonly __typename: string }

/** Answers a field with `null`, and the reason beside it. `type` is the kind of the reason, as GitHub names it. */
function rejected(type: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } })
}

/** Returns what a query asks: the repositories of the caller, with their issues and pull requests. */
export function createQueryRoot(state: GithubState, caller: GithubCaller): GraphqlObject {
  return {
    __typename: 'Query',
    repository({ owner, name }: Readonly<Record<string, unknown>>) {
      const repository = findRenamed(state, String(owner), String(name))
      const permissions = repository && permissionsIn(state, caller, repository)
      if (repository === undefined || (repository.private && permissions === undefined)) {
        const named = `${String(owner)}/${String(name)}`
        throw rejected('NOT_FOUND', `Could not resolve to a Repository with the name '${named}'.`)
      }
      const mayReadIssues = !repository.private || permissions?.['issues'] !== undefined
      return toRepository(state, repository, mayReadIssues)
    },
  }
}

/** Returns a repository also by a name that it had before, as GitHub does by default. */
function findRenamed(
  state: GithubState,
  owner: string,
  name: string,
): GithubRepository | undefined {
  const id = state.formerNames.get(`${owner}/${name}`.toLowerCase())
  return (
    findRepository(state, owner, name) ??
    (id === undefined ? undefined : state.repositories.get(id))
  )
}

function toRepository(
  state: GithubState,
  repository: GithubRepository,
  mayReadIssues: boolean,
): GraphqlObject {
  return {
    __typename: 'Repository',
    nameWithOwner: fullNameOf(repository),
    issueOrPullRequest({ number }: Readonly<Record<string, unknown>>) {
      if (!mayReadIssues) {
        throw rejected('FORBIDDEN', 'Resource not accessible by integration')
      }
      const issue = repository.issues.get(Number(number))
      if (issue !== undefined) return toIssue(state, repository, issue)
      if (repository.pullRequests.has(Number(number))) {
        return { __typename: 'PullRequest', number: Number(number) }
      }
      // Of one that was transferred GraphQL says nothing else.
      const text = `Could not resolve to an issue or pull request with the number of ${String(number)}.`
      throw rejected('NOT_FOUND', text)
    },
  }
}

function toIssue(
  state: GithubState,
  repository: GithubRepository,
  { id, number, title, assignee, state: open, stateReason }: GithubIssue,
): GraphqlObject {
  const nameWithOwner = fullNameOf(repository)
  const nodes =
    assignee === undefined
      ? []
      : [{ __typename: 'User', login: assignee.login, name: assignee.name }]
  return {
    __typename: 'Issue',
    fullDatabaseId: String(id),
    number,
    title,
    url: `${addressesOf(state).web}/${nameWithOwner}/issues/${number}`,
    state: open.toUpperCase(),
    stateReason: stateReason?.toUpperCase() ?? null,
    repository: { __typename: 'Repository', nameWithOwner },
    assignees: () => ({ __typename: 'UserConnection', nodes }),
  }
}
