import { limits, Problem, type SegmentGroup } from '@signalbox/contract'
import { wildcardId, requireReach, type Caller } from '../../config-model/caller.ts'
import { commit, recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import { lockStructure } from '../values/current-rows.ts'
import { toStoredGroups } from './segment-input.ts'
import { countSegments, storeSegment, type SegmentRow, type SegmentUses } from './segment-rows.ts'

interface CreateSegment {
  readonly name: string
  readonly description: string | undefined
  readonly anyOf: readonly SegmentGroup[]
  readonly comment: string | undefined
}

/** Holds a segment with the flags that use it, as far as the caller reaches them. */
export interface ShownSegment {
  readonly row: SegmentRow
  readonly used: SegmentUses
}

/** Stands for the uses of a segment that no flag uses. */
const noUses: SegmentUses = { uses: [], total: 0, flags: 0 }

/**
 * Creates a segment. Nothing uses it yet, so nothing is published.
 *
 * @throws {Problem} `already_exists`, `quota_exceeded`, `value_too_large`, `key_scope_forbidden`
 */
export async function createSegment(
  deps: ConfigDeps,
  caller: Caller,
  { name, description = '', anyOf, comment }: CreateSegment,
): Promise<ShownSegment> {
  requireReach(caller, 'writeValues', { environmentId: wildcardId, schemaId: wildcardId })
  const groups = toStoredGroups(anyOf)
  const { orgId, author } = caller
  return commit(deps, caller, async (tx) => {
    await lockStructure(tx, orgId)
    requireQuota(name, await countSegments(tx, orgId, name))
    const now = deps.now()
    const times = { createdAt: now, updatedAt: now, updatedBy: author }
    const row = { name, description, version: 1, anyOf: groups, ...times }
    await storeSegment(tx, orgId, { row, comment: comment ?? null })
    recordConfigEvent(tx, caller, {
      action: 'segment.created',
      target: { type: 'segment', id: null, name },
      detail: { version: 1, ...(comment !== undefined && { comment }) },
    })
    return { row, used: noUses }
  })
}

function requireQuota(
  name: string,
  { count, named }: { readonly count: number; readonly named: string | null },
): void {
  if (named !== null) {
    const detail = `There is a segment ${named} already. Choose another name, or replace that one.`
    throw new Problem('already_exists', detail, {
      errors: [{ pointer: '/name', code: 'already_exists', detail }],
    })
  }
  if (count < limits.segmentsPerOrganization) return
  const detail = `An organization has at most ${limits.segmentsPerOrganization} segments. Delete one first.`
  throw new Problem('quota_exceeded', detail)
}
