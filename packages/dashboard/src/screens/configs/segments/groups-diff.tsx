import { describeSegmentGroup } from '@signalbox/contract'
import { DiffLines } from '../rules/diff-lines.tsx'
import { diffLines } from '../rules/diff-rules.ts'
import type { Groups } from './use-segments.ts'

interface GroupsDiffProps {
  /** Lists the groups before. Absent: the segment is new. */
  readonly before: Groups
  readonly after: Groups
}

/** Renders who is in a segment before and after a change, group by group. */
export function GroupsDiff({ before, after }: GroupsDiffProps) {
  const lines = diffLines(before.map(describeSegmentGroup), after.map(describeSegmentGroup))
  return <DiffLines label="Who is in it" lines={lines} />
}
