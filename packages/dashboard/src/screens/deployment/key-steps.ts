import type { Step } from './detail.ts'

/**
 * The steps, each with a key that is its own and stays: a code host may tell the same thing twice within one second, so
 * those that are alike are counted.
 */
export function keySteps(
  steps: readonly Step[],
): readonly { readonly key: string; readonly step: Step }[] {
  const seen = new Map<string, number>()
  return steps.map((step) => {
    const { at, kind, subjectId, title } = step
    const told = [at, kind, subjectId ?? '', title].join(' ')
    const count = (seen.get(told) ?? 0) + 1
    seen.set(told, count)
    return { key: `${told} ${count}`, step }
  })
}
