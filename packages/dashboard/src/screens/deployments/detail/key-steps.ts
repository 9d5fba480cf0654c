import type { Step } from './detail.ts'

/**
 * Returns the steps, each with a key that is its own and stays: a code host may tell the same thing twice within one second, so
 * those that are alike are counted.
 */
export function keySteps(
  steps: readonly Step[],
): readonly { readonly key: string; readonly step: Step }[] {
  const counts = new Map<string, number>()
  return steps.map((step) => {
    const { at, kind, subjectId, title } = step
    const text = [at, kind, subjectId ?? '', title].join(' ')
    const count = (counts.get(text) ?? 0) + 1
    counts.set(text, count)
    return { key: `${text} ${count}`, step }
  })
}
