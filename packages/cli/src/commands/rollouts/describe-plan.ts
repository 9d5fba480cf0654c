import type { Styles } from '../../terminal/styles.ts'
import { printable } from '../../terminal/printable.ts'
import type { RolloutPlan } from '../../api/operations.ts'

/** Names a plan. Example: `newCheckout of web in production`. */
export function namePlan({ flag, schema, environment }: RolloutPlan): string {
  return `${printable(flag)} of ${printable(schema)} in ${printable(environment)}`
}

/** Says how far a plan is. Example: `running, step 2 of 4: 25%`. */
export function describePlan({ state, position, steps, nextAt, reason }: RolloutPlan): string {
  const share = steps[position]?.percent ?? 0
  const next = nextAt === null ? '' : `, until ${nextAt.slice(0, 16).replace('T', ' ')}Z at least`
  const why = reason === null ? '' : `. ${printable(reason.detail)}`
  return `${state}, step ${position + 1} of ${steps.length}: ${share}%${next}${why}`
}

/** Returns a plan as people read it: its state, and its steps with their proofs. */
export function renderPlan(plan: RolloutPlan, { bold, dim }: Styles): string {
  return [
    bold(namePlan(plan)),
    `  ${plan.id} is ${describePlan(plan)}`,
    ...plan.steps.map(({ percent, holdMinutes, approve, at, proof }, index) => {
      const parts = [
        `${percent}%`,
        holdMinutes === 0 ? '' : `held for ${holdMinutes} min`,
        approve ? 'needs an approval' : '',
        proof === null ? '' : `proof ${proof.state}`,
        at === null ? '' : `since ${at.slice(0, 16).replace('T', ' ')}Z`,
      ].filter((part) => part !== '')
      const line = `  ${index === plan.position ? '▸' : ' '} ${parts.join(', ')}`
      return index > plan.position ? dim(line) : line
    }),
  ].join('\n')
}
