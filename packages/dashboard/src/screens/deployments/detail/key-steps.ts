import type { Step } from './detail.ts'

/**
 * Returns the steps, each with a stable key. A code host may report the same state twice within a second, so equal
 * steps are numbered.
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
