import { Problem } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import { wildcardId, requireReach, type Caller } from '../../config-model/caller.ts'
import { commit, recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import { requireVersion } from '../../http/admission/preconditions.ts'
import { lockAllCurrentRows, lockStructure } from '../values/current-rows.ts'
import {
  deleteSegmentRow,
  findSegmentRow,
  listSegmentUses,
  type SegmentUses,
} from './segment-rows.ts'

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
  requireReach(caller, 'deleteConfig', { environmentId: wildcardId, schemaId: wildcardId })
  const { orgId } = caller
  await commit(deps, caller, async (tx) => {
    await lockStructure(tx, orgId)
    const row = await findSegmentRow(tx, orgId, name)
    if (row === undefined) throw notFound()
    requireVersion(row.version, ifMatch)
    await lockAllCurrentRows(tx, orgId)
    const used = await listSegmentUses(tx, { orgId, segment: name }, caller)
    if (used.total > 0) {
      throw new Problem('segment_in_use', describeUses(used), { extensions: { uses: used.uses } })
    }
    await deleteSegmentRow(tx, orgId, name)
    recordConfigEvent(tx, caller, {
      action: 'segment.deleted',
      target: { type: 'segment', id: null, name },
      detail: { version: row.version },
    })
  })
}

const usesNamed = 3

/** Returns which flags use a segment and what to do, in words. */
function describeUses({ uses, total }: SegmentUses): string {
  const named = uses
    .slice(0, usesNamed)
    .map(({ flag, environment, schema }) => `${flag} in ${environment} (${schema})`)
  const more = total - named.length
  const flags = more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ')
  return `These flags use the segment: ${flags}. Open their rules and remove the conditions that name it, or choose another segment there. Then delete it.`
}
