import { CliError } from '../terminal/cli-error.ts'
import { countOf } from '../terminal/count.ts'
import type { Kind, KindPlan, Send, Step } from './kind.ts'
import { nameStep } from './render-plan.ts'
import type { World } from './world.ts'

/**
 * Writes a plan: every kind in its order, then the deletions in the opposite one. A failure says what was done before it,
 * and the same command continues.
 */
export async function writePlan(
  { world, send }: { readonly world: World; readonly send: Send },
  plans: readonly KindPlan[],
  onStep: (kind: Kind, step: Step) => void,
): Promise<void> {
  const finished: string[] = []
  const writingOf = ({ kind }: KindPlan) => ({
    world,
    send,
    done: (step: Step) => {
      finished.push(nameStep(kind, step))
      onStep(kind, step)
    },
  })
  try {
    for (const plan of plans) await plan.kind.write(writingOf(plan), plan)
    for (const plan of plans.toReversed()) await plan.kind.remove(writingOf(plan), plan)
  } catch (error) {
    throw withProgress(error, finished)
  }
}

function withProgress(error: unknown, finished: readonly string[]): unknown {
  if (!(error instanceof CliError) || finished.length === 0) return error
  const { reason, code, message, details, docs, advice } = error
  return new CliError(reason, code, message, {
    details: [
      ...details,
      `${countOf(finished.length, 'change')} made before: ${finished.join(', ')}`,
    ],
    advice: [
      ...(advice === undefined ? [] : [advice]),
      'Then repeat the command: it continues.',
    ].join('\n'),
    docs,
    cause: error,
  })
}
