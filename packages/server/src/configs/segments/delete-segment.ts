import { Problem } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import { wildcardId, requireReach, type Caller } from '../caller.ts'
import { commit, recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import { requireVersion } from '../refuse.ts'
import { lockAllCurrentRows, lockStructure } from '../values/current-rows.ts'
import { deleteSegmentRow, findSegmentRow, listSegmentUses } from './segment-rows.ts'

/**
 * Deletes a segment that no flag uses. Locks the current values of every environment first: a write that refers to the
 * segment is either stored by then and refuses the deletion, or waits and finds the segment no more.
 *
 * @throws {Problem} `not_found`, `segment_in_use` with the uses, `revision_mismatch`, `key_scope_forbidden`
 */
export async function deleteSegment(
  deps: ConfigDeps,
  caller: Caller,
  name: string,
  { ifMatch }: { readonly ifMatch: number | undefined },
): Promise<void> {
  requireReach(caller, { environmentId: wildcardId, schemaId: wildcardId })
  const { orgId } = caller
  await commit(deps, caller, async (tx) => {
    await lockStructure(tx, orgId)
    const row = await findSegmentRow(tx, orgId, name)
    if (row === undefined) throw notFound()
    requireVersion(row.version, ifMatch)
    await lockAllCurrentRows(tx, orgId)
    const { uses, total } = await listSegmentUses(tx, { orgId, segment: name }, caller)
    if (total > 0) {
      const flags = [...new Set(uses.map(({ flag }) => flag))]
      const more = flags.length > 3 ? ` and ${flags.length - 3} more` : ''
      const detail = `Rules of ${flags.slice(0, 3).join(', ')}${more} refer to the segment. Change them first.`
      throw new Problem('segment_in_use', detail, { extensions: { uses } })
    }
    await deleteSegmentRow(tx, orgId, name)
    recordConfigEvent(tx, caller, {
      action: 'segment.deleted',
      target: { type: 'segment', id: null, name },
      detail: { version: row.version },
    })
  })
}
