import { findRepositoryId } from '../deployments/codehost/tracked-repository-rows.ts'
import type { CodehostEvent } from '../providers/codehosts/event.ts'
import type { Store } from '../store/store.ts'
import { forgetBranch } from './check-rows.ts'
import { addDue } from './due-rows.ts'

/** Closes the checks of a branch that was deleted at the code host. Returns whether there were any. */
export async function recordDeletedBranch(
  { store, now }: { readonly store: Pick<Store, 'transaction'>; readonly now: () => Date },
  orgId: string,
  { repository, ref, isDeleted }: Extract<CodehostEvent, { readonly type: 'push' }>,
): Promise<boolean> {
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1]
  if (!isDeleted || branch === undefined) return false
  return store.transaction({ orgId }, async (tx) => {
    const repositoryId = await findRepositoryId(tx, orgId, repository.externalId)
    if (repositoryId === undefined) return false
    if (!(await forgetBranch(tx, orgId, { repositoryId, branch }))) return false
    await addDue(tx, orgId, now())
    return true
  })
}
