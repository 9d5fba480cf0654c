import type { Comparison } from './compare-flags.ts'

const shownCharacters = 60

/** Returns the differences in lines, then the counts. No line shows a context. */
export function renderComparison(comparison: Comparison): string[] {
  const { flags, differences, notCompared, contexts, decisions, different } = comparison
  const lines = flags
    .filter((flag) => flag.differences > 0)
    .flatMap(({ key, environment, verdict, differences: count }) => {
      const listed = differences.filter((one) => one.key === key && one.environment === environment)
      return [
        `${key}  ${environment}  ${count} of ${contexts} differ (${verdict})`,
        ...listed.map(
          ({ line, theirs, ours }) => `  line ${line}: ${show(theirs)} there, ${show(ours)} here`,
        ),
        ...(count > listed.length ? [`  and ${count - listed.length} more`] : []),
      ]
    })
  const left =
    notCompared.length === 0 ? [] : [`Left out, so not compared: ${notCompared.join(', ')}.`]
  const differing = flags.filter((flag) => flag.differences > 0).length
  const summary =
    different === 0
      ? `No difference in ${decisions} decisions: ${flags.length} flags for ${contexts} contexts.`
      : `${different} of ${decisions} decisions differ, in ${differing} of ${flags.length} flags.`
  return [...lines, ...(lines.length > 0 ? [''] : []), ...left, summary]
}

function show(value: unknown): string {
  if (value === null) return 'no value'
  const text = JSON.stringify(value)
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters - 1)}…`
}
