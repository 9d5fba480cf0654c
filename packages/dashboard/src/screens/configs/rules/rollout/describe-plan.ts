import { activePlanStates, type ProofState } from '@signalbox/contract'
import type { ItemOf } from '../../../../api/routes.ts'
import type { Tone } from '../../../../components/badge.tsx'
import { toDuration } from '../../../../components/time.tsx'

/** Describes a rollout in steps. */
export type Plan = ItemOf<'GET /organizations/{org_id}/rollout-plans'>

/** Returns whether a plan can still take a step. */
export function isActive({ state }: Pick<Plan, 'state'>): boolean {
  return activePlanStates.some((active) => active === state)
}

/** Returns which step a plan is at. Example: `Rolling out: 25%, step 2 of 4`. */
export function describePosition({
  state,
  steps,
  position,
}: Pick<Plan, 'state' | 'steps' | 'position'>): string {
  const word =
    state === 'paused' ? 'Rollout paused' : state === 'waiting' ? 'Rollout waits' : 'Rolling out'
  return `${word}: ${steps[position]?.percent ?? 0}%, step ${position + 1} of ${steps.length}`
}

type Described = Pick<Plan, 'state' | 'steps' | 'position' | 'nextAt' | 'reason' | 'prove'>

/**
 * Returns what happens next with a plan and what it waits for, or what has become of it. `nameOf` returns the name of a signal;
 * `undefined`: the names are not known.
 */
export function describePlan(
  plan: Described,
  now: number,
  nameOf?: (signalId: string) => string,
): string {
  const { state, steps, position } = plan
  const share = toShare(steps[position])
  switch (state) {
    case 'running':
      return describeRunning(plan, now, nameOf)
    case 'waiting':
      return `Waits for an approval of ${toShare(steps[position + 1])}`
    case 'finished':
      return `Finished at ${share}`
    case 'paused':
      return `Paused${toReason(plan)}`
    case 'stopped':
      return `Stopped at ${share}${toReason(plan)}`
    case 'restored':
      return `Restored${toReason(plan)}`
  }
}

function toShare(step: Pick<StepTerms, 'percent'> | undefined): string {
  return `${step?.percent ?? 0}%`
}

function toReason({ reason }: Pick<Plan, 'reason'>): string {
  return reason === null ? '' : `: ${reason.detail.replace(/\.$/, '')}`
}

const list = new Intl.ListFormat('en-GB')

function describeRunning(
  { steps, position, nextAt, prove }: Described,
  now: number,
  nameOf: ((signalId: string) => string) | undefined,
): string {
  const [live, next] = [steps[position], steps[position + 1]]
  const lead = next === undefined ? 'Ends' : `Next: ${toShare(next)}`
  const at = nextAt !== null && Date.parse(nextAt) > now ? ` ${toWhen(nextAt, now)}` : ''
  const approval = next?.approve === true ? ', after an approval' : ''
  if (live?.proof?.state !== 'watching') return `${lead}${at || ' in a moment'}${approval}`
  const good = describeGood(live.signals ?? prove, nameOf)
  return `${lead}${at}, ${at === '' ? 'as soon as' : 'when'} ${good}${approval}`
}

/** Says what has to be good before the next step. Signals of the environment's policy watch as well, and are in no plan. */
function describeGood(
  by: readonly string[] | Described['prove'],
  nameOf: ((signalId: string) => string) | undefined,
): string {
  const ids = by === null || 'minutes' in by ? (by?.signals ?? []) : by
  if (nameOf === undefined || ids.length === 0) return 'its proof is there'
  return `${list.format(ids.map(nameOf))} ${ids.length === 1 ? 'is' : 'are'} good`
}

/** Returns a moment ahead in words. Example: `tomorrow at 14:05`. */
export function toWhen(at: string, now: number): string {
  const then = new Date(at)
  const time = then.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  const days = Math.round((toMidnight(then) - toMidnight(new Date(now))) / 86_400_000)
  const date = then.toLocaleDateString('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  })
  return `${['today', 'tomorrow'][days] ?? `on ${date}`} at ${time}`
}

function toMidnight(moment: Date): number {
  return new Date(moment).setHours(0, 0, 0, 0)
}

/** Maps each state of the proof of a step to its word and color. */
export const proofWords: Readonly<Record<ProofState, readonly [word: string, tone: Tone]>> = {
  watching: ['unproven', 'warn'],
  proven: ['proven', 'ok'],
  failed: ['failed', 'bad'],
  inconclusive: ['not proven', 'neutral'],
  stopped: ['no proof', 'neutral'],
}

/** Describes a step as a plan, a request and a template have it. */
export interface StepTerms {
  readonly percent: number
  readonly holdMinutes: number
  readonly approve?: boolean | undefined
  /** Lists what watches it instead of the signals of the plan. */
  readonly signals?: string[] | undefined
}

/** Returns a step in words. Example: `25% for 1 d, after an approval`. */
export function describeStep({ percent, holdMinutes, approve = false }: StepTerms): string {
  const hold = holdMinutes === 0 ? '' : ` for ${describeHold(holdMinutes)}`
  return `${percent}%${hold}${approve ? ', after an approval' : ''}`
}

function describeHold(minutes: number): string {
  return minutes === 1 ? '1 min' : toDuration(minutes * 60_000).replace(/^24 h$/, '1 d')
}
