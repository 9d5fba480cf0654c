import { changeKinds, type ChangeKind } from '@signalbox/contract/rest'
import { findEnvironmentRow } from '../../configs/environments/environment-rows.ts'
import { readRequests } from '../../configs/requests/read-standing.ts'
import { listRequestRows } from '../../configs/requests/request-rows.ts'
import { stateOf } from '../../configs/requests/request.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Scope } from '../../store/scope.ts'
import type { Store, Tx } from '../../store/store.ts'
import type { ListChangeRows } from '../../read-models/overview/change-filter.ts'
import {
  listDeploymentChanges,
  listRepositoriesCalled,
  listTestRunChanges,
  listVersionChanges,
  type DeploymentChange,
  type TestRunChange,
  type VersionChange,
} from '../../read-models/overview/change-rows.ts'
import {
  listRequestChanges,
  type RequestChange,
} from '../../read-models/overview/request-change-rows.ts'

/** Describes a change of an environment: a deployment, a test run, a version of a configuration or a request for one. */
export type AnyChange = DeploymentChange | TestRunChange | VersionChange | RequestChange

/** Describes a page of the changes of an organization, by what was asked for. */
export interface ListChanges
  extends Omit<ListChangeRows, 'repositoryIds'>, Partial<Record<'repository', string | undefined>> {
  readonly orgId: string
  readonly scope: Scope
  /** `undefined`: every kind. */
  readonly kinds: readonly ChangeKind[] | undefined
  readonly foldTests: boolean
}

/**
 * Lists what changed environments, newest first, one more than `limit` when there is more: it merges a page of each kind. A kind
 * that a filter says nothing about has no changes: configuration has no repository, and a deployment no key.
 *
 * @throws {Problem} `not_found` for an environment that is not there
 */
export async function listChanges(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  { orgId, scope, limit, ...of }: ListChanges,
): Promise<AnyChange[]> {
  return store.transaction(scope, async (tx) => {
    const { environmentId, repository } = of
    if (
      environmentId !== undefined &&
      (await findEnvironmentRow(tx, orgId, environmentId)) === undefined
    )
      throw notFound()
    const repositoryIds =
      repository === undefined
        ? undefined
        : await listRepositoriesCalled(tx, orgId, repository.toLowerCase())
    const query = { ...of, repositoryIds, limit: limit + 1 }
    const lists = await Promise.all(listsOf(query).map((list) => list(tx, orgId)))
    const changes = lists.flat().toSorted(newestFirst)
    return withStates(tx, orgId, changes.slice(0, limit + 1))
  })
}

/** Returns changes with the states of the requests that wait, which follow from the reviews and members of the moment. */
async function withStates(
  tx: Tx,
  orgId: string,
  changes: readonly AnyChange[],
): Promise<AnyChange[]> {
  const waiting = changes.filter(
    (change) => change.kind === 'request' && change.request.state === 'waiting',
  )
  const ids = waiting.map(({ id }) => id)
  const rows = ids.length === 0 ? [] : await listRequestRows(tx, orgId, ids)
  const requests = await readRequests(tx, orgId, rows)
  const states = new Map(requests.map((whole) => [whole.request.id, stateOf(whole)]))
  return changes.map((change) => {
    const state = states.get(change.id)
    if (change.kind !== 'request' || state === undefined) return change
    return { ...change, request: { ...change.request, state } }
  })
}

type RunFilter = Pick<ListChanges, 'foldTests'> &
  Pick<ListChangeRows, 'key' | 'author' | 'repositoryIds'>

type List = (tx: Tx, orgId: string) => Promise<readonly AnyChange[]>

/** Returns the lists that a page is merged from. */
function listsOf(query: Omit<ListChanges, 'orgId' | 'scope'> & ListChangeRows): List[] {
  const { kinds = changeKinds, repositoryIds, key, foldTests } = query
  const asksFor = (kind: ChangeKind) => kinds.includes(kind)
  const [flips, others] = [asksFor('flag_flip'), asksFor('config_version')]
  const isFlip = flips && others ? undefined : flips
  // Configuration has no repository.
  const isConfigured = repositoryIds === undefined
  const lists: readonly (readonly [isAsked: boolean, list: List])[] = [
    [
      asksFor('deployment') && key === undefined,
      (tx, orgId) => listDeploymentChanges(tx, orgId, query),
    ],
    [
      asksFor('test_run') && mayHaveRuns(query),
      (tx, orgId) => listTestRunChanges(tx, orgId, { ...query, isFolded: foldTests }),
    ],
    [
      (flips || others) && isConfigured,
      (tx, orgId) => listVersionChanges(tx, orgId, { ...query, isFlip }),
    ],
    [
      asksFor('change_request') && isConfigured,
      (tx, orgId) => listRequestChanges(tx, orgId, query),
    ],
  ]
  return lists.flatMap(([isAsked, list]) => (isAsked ? list : []))
}

/** Returns whether a filter leaves test runs. Folded, only those of no deployment are listed, which belong to no repository. */
function mayHaveRuns({ key, author, repositoryIds, foldTests }: RunFilter): boolean {
  if (foldTests && repositoryIds !== undefined) return false
  return key === undefined && author === undefined
}

function newestFirst(one: AnyChange, other: AnyChange): number {
  const difference = other.micros - one.micros
  if (difference !== 0) return difference
  return one.id < other.id ? 1 : -1
}
