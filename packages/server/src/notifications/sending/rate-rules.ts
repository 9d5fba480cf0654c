/**
 * Decides how fast messages go out, so that the provider refuses none, without I/O.
 *
 * Each call spends an interval of its budgets (`http/admission/gcra.ts`): a budget is open while what has been spent lies
 * no more than its burst ahead. A call that finds one closed reserves a moment after all that wait already, so that many that
 * wait do not all come at once.
 */
import { opensAtMs, spendCall, toleranceMs } from '../../http/admission/gcra.ts'
import { dayMs } from '../../store/retention-rule.ts'
import { isPaused } from '../../jobs/stored-pause.ts'
import type { RateBudget } from '../../providers/chat/chat.ts'

/** Says how far a budget is used. */
export interface RateState {
  readonly resource: string
  /** When what was sent so far has been made up for. */
  readonly spentUntil: Date
  /** The last moment that a waiting call has reserved. */
  readonly reservedUntil: Date
}

/** Says when a call may be made, and how far its budgets are used then. */
export interface RateDecision {
  /** `undefined`: now. */
  readonly waitUntil: Date | undefined
  readonly states: readonly RateState[]
}

/**
 * Decides whether a call may be made now, and when if not. `hasReserved`: the moment that it had reserved has come, and it may have
 * been late.
 */
export function decideRate(
  budgets: readonly RateBudget[],
  states: readonly RateState[],
  { now, hasReserved }: { readonly now: Date; readonly hasReserved: boolean },
): RateDecision {
  const limits = budgets.map((budget) =>
    toLimit(budget, believe(findState(states, budget), now), hasReserved),
  )
  const closed = limits.filter(({ freeAtMs }) => freeAtMs > now.getTime())
  if (closed.length === 0) {
    return { waitUntil: undefined, states: limits.map((limit) => spend(limit, now)) }
  }
  if (hasReserved) {
    const lastFreeMs = Math.max(...closed.map(({ freeAtMs }) => freeAtMs))
    return { waitUntil: new Date(lastFreeMs), states: [] }
  }
  const reserved = closed.map(reserve)
  const lastMs = Math.max(...reserved.map(({ reservedUntil }) => reservedUntil.getTime()))
  return { waitUntil: new Date(lastMs), states: reserved }
}

/** Closes the budgets until a moment that the provider named. */
export function pauseBudgets(
  budgets: readonly RateBudget[],
  states: readonly RateState[],
  until: Date,
): readonly RateState[] {
  return budgets.map((budget) => {
    const state = findState(states, budget)
    const untilMs = until.getTime() + toleranceMs(budget)
    return { ...state, spentUntil: new Date(Math.max(state.spentUntil.getTime(), untilMs)) }
  })
}

interface Limit {
  readonly budget: RateBudget
  readonly state: RateState
  readonly freeAtMs: number
}

function toLimit(budget: RateBudget, state: RateState, hasReserved: boolean): Limit {
  const openMs = opensAtMs(budget, state.spentUntil.getTime())
  // No call overtakes those that wait.
  const freeAtMs = hasReserved ? openMs : Math.max(openMs, state.reservedUntil.getTime())
  return { budget, state, freeAtMs }
}

function spend({ budget, state }: Limit, now: Date): RateState {
  const spentUntilMs = spendCall(budget, state.spentUntil.getTime(), now.getTime())
  return { ...state, spentUntil: new Date(spentUntilMs) }
}

function reserve({ budget, state, freeAtMs }: Limit): RateState {
  const afterOthersMs = state.reservedUntil.getTime() + budget.intervalMs
  return { ...state, reservedUntil: new Date(Math.max(freeAtMs, afterOthersMs)) }
}

const never = new Date(0)

/** Forgets moments of a clock that was ahead. */
function believe({ resource, spentUntil, reservedUntil }: RateState, now: Date): RateState {
  const cut = (until: Date) => (isPaused(until, now, dayMs) ? until : never)
  return { resource, spentUntil: cut(spentUntil), reservedUntil: cut(reservedUntil) }
}

function findState(states: readonly RateState[], { resource }: RateBudget): RateState {
  const known = states.find((state) => state.resource === resource)
  return known ?? { resource, spentUntil: never, reservedUntil: never }
}
