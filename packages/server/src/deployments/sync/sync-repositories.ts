import { nameRepositories } from '../codehost/repository-rows.ts'
import { takeOverNamed } from '../codehost/take-over-named.ts'
import { emitChanges } from '../reports/emit-changes.ts'
import { closeKind, countDone, setTotal, type Sync } from './sync.ts'
import { keepSync, leaveRepository, type SyncWork } from './sync-work.ts'
import { markMissingRepositories } from './synced-rows.ts'

/** Reads a page of the repositories. After the last one, those that the host did not list are marked as removed. */
export async function syncRepositories({ deps, orgId, api }: SyncWork, sync: Sync): Promise<Sync> {
  const { cursor } = sync
  const at = deps.now()
  const { items, nextPage, total } = await api.listRepositories(cursor.page ?? undefined)
  return deps.store.transaction({ orgId }, async (tx) => {
    await nameRepositories(tx, orgId, { repositories: items, at })
    const externalIds = items.map(({ externalId }) => externalId)
    const ids = await takeOverNamed(deps, tx, orgId, externalIds)
    await emitChanges(deps, tx, orgId, { event: 'deployment.changed', ids })
    const counted = countDone(sync.progress, 'repositories', items.length)
    const progress = setTotal(counted, 'repositories', total ?? counted.repositories.total)
    if (nextPage !== undefined) {
      return keepSync(tx, orgId, { ...sync, progress, cursor: { ...cursor, page: nextPage } })
    }
    await markMissingRepositories(tx, orgId, { namedBefore: sync.startedAt, now: deps.now() })
    return keepSync(tx, orgId, {
      ...sync,
      progress: closeKind(progress, 'repositories'),
      cursor: leaveRepository({ ...cursor, step: 'webhooks' }, ''),
    })
  })
}
