import type { Segments } from '@signalbox/contract'
import { noSegments, type KnownSegments } from '../../config-model/known-segments.ts'
import type { Tx } from '../../store/store.ts'
import { listSegmentGroups } from './segment-rows.ts'

/**
 * Reads segments by their names. Asks the database only where there are names, so that a write without segments costs
 * nothing. Nobody changes or deletes them while the caller has a lock on some current values.
 */
export async function readSegments(
  tx: Tx,
  orgId: string,
  names: Iterable<string>,
): Promise<KnownSegments> {
  const requestedNames = [...new Set(names)]
  if (requestedNames.length === 0) return noSegments
  const rows = await listSegmentGroups(tx, orgId, requestedNames)
  const groups = rows.flatMap(({ name, anyOf }) => (anyOf === null ? [] : [[name, anyOf] as const]))
  return { groups: Object.fromEntries(groups), names: rows.map(({ name }) => name) }
}

/** Returns what a write works on with further segments, those that the request refers to. */
export async function withSegments<
  C extends { readonly state: { readonly segments: Segments }; readonly segments: KnownSegments },
>(tx: Tx, orgId: string, context: C, names: Iterable<string>): Promise<C> {
  const { groups } = context.segments
  const further = [...names].filter((name) => !Object.hasOwn(groups, name))
  if (further.length === 0) return context
  const segments = await readSegments(tx, orgId, [...Object.keys(groups), ...further])
  return { ...context, state: { ...context.state, segments: segments.groups }, segments }
}
