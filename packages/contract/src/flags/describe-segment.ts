import { describeCondition } from './describe-flag.ts'
import type { SegmentGroup } from './flag-rules.ts'

/** Limits the groups that are named. The others are counted. */
const groupsNamed = 3

/** Returns the users of a group in words. Example: `plan is pro and seats is more than 5`. */
export function describeSegmentGroup({ when }: SegmentGroup): string {
  return when.map(describeCondition).join(' and ')
}

/** Returns the users of a segment in words. Example: `email ends with @acme.example, or plan is pro`. */
export function describeSegment(groups: readonly SegmentGroup[]): string {
  const named = groups.slice(0, groupsNamed).map(describeSegmentGroup)
  const more = groups.length - groupsNamed
  const rest = more > 0 ? [`${more} more ${more === 1 ? 'group' : 'groups'}`] : []
  return [...named, ...rest].join(', or ')
}
