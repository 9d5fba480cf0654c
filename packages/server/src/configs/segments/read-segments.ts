import { notFound } from '../../http/answers/problem-response.ts'
import type { Caller } from '../../config-model/caller.ts'
import type { ConfigDeps } from '../config-deps.ts'
import type { ShownSegment } from './create-segment.ts'
import {
  findSegmentRow,
  listSegmentUses,
  pageSegmentRows,
  pageSegmentVersions,
  type CountedSegmentRow,
  type SegmentVersionRow,
} from './segment-rows.ts'

interface Page<P> {
  readonly after: P | undefined
  readonly limit: number
}

/** Lists segments after a name, one more than `limit` when there are more. A restricted key counts the flags it reaches. */
export async function pageSegments(
  { store }: ConfigDeps,
  caller: Caller,
  { after = '', limit }: Page<string>,
): Promise<CountedSegmentRow[]> {
  return store.transaction(caller.scope, (tx) =>
    pageSegmentRows(tx, caller.orgId, { after, limit: limit + 1, within: caller }),
  )
}

/** Returns a segment with the flags that use it, as far as the caller reaches them; throws {Problem} `not_found`. */
export async function getSegment(
  { store }: ConfigDeps,
  caller: Caller,
  name: string,
): Promise<ShownSegment> {
  const { orgId } = caller
  return store.transaction(caller.scope, async (tx) => {
    const row = await findSegmentRow(tx, orgId, name)
    if (row === undefined) throw notFound()
    return { row, used: await listSegmentUses(tx, { orgId, segment: name }, caller) }
  })
}

/** Lists versions of a segment, newest first, one more than `limit` when there are more; throws {Problem} `not_found`. */
export async function listSegmentVersions(
  { store }: ConfigDeps,
  { orgId, scope }: Caller,
  name: string,
  { after, limit }: Page<number>,
): Promise<SegmentVersionRow[]> {
  return store.transaction(scope, async (tx) => {
    if ((await findSegmentRow(tx, orgId, name)) === undefined) throw notFound()
    const page = { below: after, limit: limit + 1 }
    return pageSegmentVersions(tx, { orgId, segment: name }, page)
  })
}
