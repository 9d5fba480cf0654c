/**
 * How fast messages go out, so that the provider refuses none: as decisions without I/O.
 *
 * Each call pays an interval to its budgets (the generic cell rate algorithm): a budget is open while what has been paid
 * lies no more than its burst ahead. Whoever finds one closed is promised a moment after all who wait already, so that
 * many that wait do not all come at once.
 *
 * @see https://docs.slack.dev/apis/web-api/rate-limits
 */
import type { Step } from './notification-protocol.ts'

/** So many calls at once, and then one each interval. */
interface Rate {
  readonly intervalMs: number
  readonly burst: number
}

export interface Budget extends Rate {
  /** Example: `channel:C0123`. */
  readonly resource: string
}

/** How far a budget is used. */
export interface Pace {
  readonly resource: string
  /** When what was sent so far has been made up for. */
  readonly paidAt: Date
  /** The last moment that somebody who waits was promised. */
  readonly promisedAt: Date
}

/**
 * Slack takes one message a second in a channel; a tenth more is for calls that overtake each other on their way. "Several
 * hundred" messages a minute in a workspace: 210. Fifty updates a minute (tier 3): 48.
 */
const rates = {
  channel: { intervalMs: 1_100, burst: 1 },
  posts: { intervalMs: 300, burst: 10 },
  updates: { intervalMs: 1_500, burst: 8 },
} as const satisfies Record<string, Rate>

/** What a step pays to, in the order in which all lock them. */
export function budgetsOf(step: Pick<Step, 'type'>, channelId: string): Budget[] {
  return step.type === 'update'
    ? [{ resource: 'updates', ...rates.updates }]
    : [
        { resource: `channel:${channelId}`, ...rates.channel },
        { resource: 'posts', ...rates.posts },
      ]
}

export interface Turn {
  /** `undefined`: now. */
  readonly waitUntil: Date | undefined
  readonly paces: readonly Pace[]
}

/** Whether a call may be made now, and when if not. `isPromised`: its turn has come before, and it may have been late. */
export function takeTurn(
  budgets: readonly Budget[],
  paces: readonly Pace[],
  { now, isPromised }: { readonly now: Date; readonly isPromised: boolean },
): Turn {
  const looked = budgets.map((budget) => look(budget, findPace(paces, budget), isPromised))
  const isOpen = looked.every(({ opensAtMs }) => opensAtMs <= now.getTime())
  if (isOpen) return { waitUntil: undefined, paces: looked.map((one) => pay(one, now)) }
  const waits = looked.filter(({ opensAtMs }) => opensAtMs > now.getTime())
  if (isPromised) {
    const opensAtMs = Math.max(...waits.map((one) => one.opensAtMs))
    return { waitUntil: new Date(opensAtMs), paces: [] }
  }
  const promised = waits.map(promise)
  const lastMs = Math.max(...promised.map(({ promisedAt }) => promisedAt.getTime()))
  return { waitUntil: new Date(lastMs), paces: promised }
}

/** What the provider asked for: nothing more is paid to the budgets until then. */
export function holdPaces(
  budgets: readonly Budget[],
  paces: readonly Pace[],
  until: Date,
): readonly Pace[] {
  return budgets.map((budget) => {
    const pace = findPace(paces, budget)
    const paidAtMs = until.getTime() + aheadMs(budget)
    return { ...pace, paidAt: new Date(Math.max(pace.paidAt.getTime(), paidAtMs)) }
  })
}

interface Looked {
  readonly budget: Budget
  readonly pace: Pace
  readonly opensAtMs: number
}

function look(budget: Budget, pace: Pace, isPromised: boolean): Looked {
  const paidMs = pace.paidAt.getTime() - aheadMs(budget)
  // Nobody overtakes those who wait.
  const opensAtMs = isPromised ? paidMs : Math.max(paidMs, pace.promisedAt.getTime())
  return { budget, pace, opensAtMs }
}

function aheadMs({ intervalMs, burst }: Rate): number {
  return (burst - 1) * intervalMs
}

function pay({ budget, pace }: Looked, now: Date): Pace {
  const fromMs = Math.max(pace.paidAt.getTime(), now.getTime())
  return { ...pace, paidAt: new Date(fromMs + budget.intervalMs) }
}

function promise({ budget, pace, opensAtMs }: Looked): Pace {
  const afterOthersMs = pace.promisedAt.getTime() + budget.intervalMs
  return { ...pace, promisedAt: new Date(Math.max(opensAtMs, afterOthersMs)) }
}

const never = new Date(0)

function findPace(paces: readonly Pace[], { resource }: Budget): Pace {
  const found = paces.find((pace) => pace.resource === resource)
  return found ?? { resource, paidAt: never, promisedAt: never }
}
