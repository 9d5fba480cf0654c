import { nearestName, type ProblemLocation, type Segments } from '@signalbox/contract'
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
