import { describeRule, type FlagRule } from '@signalbox/contract'

/** Describes one line of a difference between two lists, such as of rules. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Returns a rule in words, with the name that a person gave it. */
export function toRuleText(rule: FlagRule): string {
  const { description } = rule
  const sentence = describeRule(rule)
  return description === undefined ? sentence : `${description}: ${sentence}`
}

/** Returns the lines of two lists of rules in their order. A rule that moved is removed and added. */
export function diffRules(
  before: readonly FlagRule[],
  after: readonly FlagRule[],
): readonly DiffLine[] {
  return diffLines(before.map(toRuleText), after.map(toRuleText))
}

/** Returns the lines of two lists of texts in their order. */
export function diffLines(was: readonly string[], is: readonly string[]): readonly DiffLine[] {
  const lengths = measureCommon(was, is)
  const lines: DiffLine[] = []
  let [one, other] = [0, 0]
  while (one < was.length || other < is.length) {
    const [old, next] = [was[one], is[other]]
    if (old !== undefined && old === next) {
      lines.push({ kind: 'same', text: old })
      one += 1
      other += 1
    } else if (
      old !== undefined &&
      (next === undefined || lengthAt(lengths, one + 1, other) >= lengthAt(lengths, one, other + 1))
    ) {
      lines.push({ kind: 'removed', text: old })
      one += 1
    } else if (next !== undefined) {
      lines.push({ kind: 'added', text: next })
      other += 1
    }
  }
  return lines
}

type Lengths = readonly (readonly number[])[]

function lengthAt(lengths: Lengths, one: number, other: number): number {
  return lengths[one]?.[other] ?? 0
}

/** Returns the length of the longest common part from each pair of places on. */
function measureCommon(was: readonly string[], is: readonly string[]): Lengths {
  const lengths: number[][] = Array.from({ length: was.length + 1 }, () => [])
  for (let one = was.length - 1; one >= 0; one -= 1) {
    for (let other = is.length - 1; other >= 0; other -= 1) {
      const row = lengths[one]
      if (row === undefined) continue
      row[other] =
        was[one] === is[other]
          ? lengthAt(lengths, one + 1, other + 1) + 1
          : Math.max(lengthAt(lengths, one + 1, other), lengthAt(lengths, one, other + 1))
    }
  }
  return lengths
}
