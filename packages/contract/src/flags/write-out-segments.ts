import type {
  AttributeCondition,
  FlagCondition,
  FlagRule,
  SegmentCondition,
  SegmentGroup,
  Segments,
  WrittenRule,
} from './flag-rules.ts'

/** Describes one way in which a condition can hold: all of these together. */
type Alternative = readonly AttributeCondition[]

/**
 * Returns rules without segments that decide as `rules` do, for every context. A rule whose conditions can hold in
 * several ways becomes a rule for each of them, with the same `serve`: the first one that holds decides, so the others
 * do not matter. A condition about a segment that `segments` does not have never holds, nor does its negation.
 */
export function writeOutSegments(
  rules: readonly FlagRule[],
  segments: Segments,
): readonly WrittenRule[] {
  return rules.flatMap((rule) => writeOutRule(rule, segments))
}

/** Counts the rules that `writeOutSegments` returns, without making them. */
export function countWrittenRules(rules: readonly FlagRule[], segments: Segments): number {
  return rules.reduce(
    (sum, { when }) =>
      sum + when.reduce((product, each) => product * countAlternatives(each, segments), 1),
    0,
  )
}

/** Returns the names of the segments that rules refer to, each once. */
export function listSegmentNames(rules: readonly FlagRule[]): readonly string[] {
  const names = rules.flatMap(({ when }) => when.filter(isSegmentCondition))
  return [...new Set(names.map(({ segment }) => segment))]
}

/** Returns whether a condition is about a segment. */
export function isSegmentCondition(condition: FlagCondition): condition is SegmentCondition {
  return condition.operator === 'segment'
}

function writeOutRule({ when, ...rest }: FlagRule, segments: Segments): readonly WrittenRule[] {
  let alternatives: readonly Alternative[] = [[]]
  for (const condition of when) {
    const added = toAlternatives(condition, segments)
    alternatives = alternatives.flatMap((one) => added.map((other) => [...one, ...other]))
  }
  const { id, description, serve } = rest
  return alternatives.map((conditions) => ({
    ...(id !== undefined && { id }),
    ...(description !== undefined && { description }),
    when: conditions,
    serve,
  }))
}

function toAlternatives(condition: FlagCondition, segments: Segments): readonly Alternative[] {
  if (!isSegmentCondition(condition)) return [[condition]]
  const groups = findGroups(condition, segments)
  if (condition.not !== true) return groups.map(({ when }) => when)
  // Outside of the segment: of each group, some condition does not hold.
  return groups.length === 0 ? [] : combine(groups.map(({ when }) => when.map(negate)))
}

/** Returns every way to take one condition of each list. */
function combine(lists: readonly (readonly AttributeCondition[])[]): readonly Alternative[] {
  let chosen: readonly Alternative[] = [[]]
  for (const list of lists) {
    chosen = chosen.flatMap((one) => list.map((condition) => [...one, condition]))
  }
  return chosen
}

function countAlternatives(condition: FlagCondition, segments: Segments): number {
  if (!isSegmentCondition(condition)) return 1
  const groups = findGroups(condition, segments)
  if (condition.not !== true || groups.length === 0) return groups.length
  return groups.reduce((product, { when }) => product * when.length, 1)
}

function findGroups({ segment }: SegmentCondition, segments: Segments): readonly SegmentGroup[] {
  return (Object.hasOwn(segments, segment) ? segments[segment] : undefined) ?? []
}

function negate({ not, ...condition }: AttributeCondition): AttributeCondition {
  return not === true ? condition : { ...condition, not: true }
}
