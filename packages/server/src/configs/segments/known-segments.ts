import { nearestName, type ProblemLocation, type Segments } from '@signalbox/contract'
import type { Tx } from '../../store/store.ts'
import { listSegmentGroups } from './segment-rows.ts'
import { fitsWrittenOut, segmentsIn, tooManyRulesDetail } from './segment-texts.ts'

/** Holds what a write knows of an organization's segments. */
export interface KnownSegments {
  /** The groups of the segments that were asked for and exist. */
  readonly groups: Segments
  /** The names of all segments. Empty: none was asked for. */
  readonly names: readonly string[]
}

/** Holds no segments, for a write without rules. */
export const noSegments: KnownSegments = { groups: {}, names: [] }

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

/** Describes what is wrong with rules that refer to segments, and what to do. */
type SegmentViolation = Omit<ProblemLocation, 'pointer'>

/** Returns the violation of rules that refer to a segment that does not exist, or that would be too many for clients. */
export function findSegmentViolation(
  text: string,
  known: KnownSegments,
): SegmentViolation | undefined {
  const unknown = segmentsIn(text).find((name) => !Object.hasOwn(known.groups, name))
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, known.names)
    const advice = nearest === undefined ? 'Create it first.' : `Did you mean “${nearest}”?`
    return { code: 'unknown_segment', detail: `There is no segment “${unknown}”. ${advice}` }
  }
  return fitsWrittenOut(text, known.groups)
    ? undefined
    : { code: 'too_many_rules', detail: tooManyRulesDetail }
}
