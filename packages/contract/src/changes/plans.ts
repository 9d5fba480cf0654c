/**
 * Lists the states of a rollout plan. `waiting`: the next step needs somebody who approves changes of the environment. The last three
 * are final.
 */
export const planStates = [
  'running',
  'paused',
  'waiting',
  'finished',
  'stopped',
  'restored',
] as const
export type PlanState = (typeof planStates)[number]

/** Lists the states of a plan that can still take a step. */
export const activePlanStates = ['running', 'paused', 'waiting'] as const

/**
 * Lists why a plan is paused or has ended early. `person`: somebody pressed it. `edited`: somebody changed the flag there. `failed`: the
 * proof of a step failed. `undecided`: it had no result. `policy`: the environment needs more approvals than the plan has. `refused`: the
 * step is not allowed any more. `gone`: the rule is not there any more. `author_left`: its author is no longer a member, and nobody else has
 * approved it.
 */
export const planReasons = [
  'person',
  'edited',
  'failed',
  'undecided',
  'policy',
  'refused',
  'gone',
  'author_left',
] as const
export type PlanReason = (typeof planReasons)[number]
