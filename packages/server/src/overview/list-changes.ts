import { changeKinds, type ChangeKind } from '@signalbox/contract/rest'
import { findEnvironmentRow } from '../configs/environments/environment-rows.ts'
import { notFound } from '../http/answers/problem-response.ts'
import type { Scope } from '../store/scope.ts'
import type { Store, Tx } from '../store/store.ts'
import type { ListChangeRows } from '../read-models/overview/change-filter.ts'
import {
  listDeploymentChanges,
  listRepositoriesCalled,
  listTestRunChanges,
  listVersionChanges,
  type DeploymentChange,
  type TestRunChange,
  type VersionChange,
} from '../read-models/overview/change-rows.ts'

/** Describes a change of an environment: a deployment, a test run or a version of a configuration. */
export type AnyChange = DeploymentChange | TestRunChange | VersionChange

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
  const changes = await store.transaction(scope, async (tx) => {
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
    return Promise.all(listsOf(query).map((list) => list(tx, orgId)))
  })
  return changes
    .flat()
    .toSorted(newestFirst)
    .slice(0, limit + 1)
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
  return [
    ...(asksFor('deployment') && key === undefined
      ? [(tx: Tx, orgId: string) => listDeploymentChanges(tx, orgId, query)]
      : []),
    ...(asksFor('test_run') && mayHaveRuns(query)
      ? [
          (tx: Tx, orgId: string) =>
            listTestRunChanges(tx, orgId, { ...query, isFolded: foldTests }),
        ]
      : []),
    ...((flips || others) && repositoryIds === undefined
      ? [(tx: Tx, orgId: string) => listVersionChanges(tx, orgId, { ...query, isFlip })]
      : []),
  ]
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
