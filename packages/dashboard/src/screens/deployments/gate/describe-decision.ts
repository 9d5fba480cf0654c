import type { GateState } from '@signalbox/contract/rest'
import { Check, CircleX, Clock, LockOpen, TimerOff } from 'lucide-react'
import type { ItemOf } from '../../../api/routes.ts'
import { toDuration } from '../../../components/time.tsx'
import type { StateVariant } from '../states.ts'

/** Describes the answer to a deployment that asked whether it may go on. */
export type Decision = ItemOf<'GET /organizations/{org_id}/gate-decisions'>
/** Describes one of the reasons of a decision. */
export type Reason = Decision['reasons'][number]

/** Maps each state of a decision to its word, color and icon. */
export const decisionVariants: Readonly<Record<GateState, StateVariant>> = {
  waiting: { word: 'Waiting', tone: 'info', icon: Clock },
  passed: { word: 'Went on', tone: 'ok', icon: Check },
  refused: { word: 'Refused', tone: 'bad', icon: CircleX },
  overridden: { word: 'Let through', tone: 'warn', icon: LockOpen },
  expired: { word: 'Expired', tone: 'neutral', icon: TimerOff },
}

/** Returns the reasons that hold a deployment up, or ended it. Those of gates that only watch are left out. */
export function listBlocking({ reasons }: Pick<Decision, 'reasons'>): readonly Reason[] {
  return reasons.filter(({ state, isWatched }) => state !== 'met' && !isWatched)
}

/** Returns what a deployment is called in a title. Example: `4f1c2aa to production`. */
export function nameDecision({
  sha,
  environment,
  hostEnvironment,
}: Pick<Decision, 'sha' | 'environment' | 'hostEnvironment'>): string {
  return `${sha.slice(0, 7)} to ${environment ?? hostEnvironment}`
}

type Waited = Pick<Decision, 'askedAt' | 'decidedAt'>

/** Limits the time that is called none: most decisions take a moment. */
const noWaitMs = 10_000

/** Returns how long a deployment waited. Example: `12 min`. `undefined`: it did not, or it still waits. */
export function describeWait({ askedAt, decidedAt }: Waited): string | undefined {
  if (decidedAt === null) return undefined
  const ms = Date.parse(decidedAt) - Date.parse(askedAt)
  return ms < noWaitMs ? undefined : toDuration(ms)
}

type Described = Waited & Pick<Decision, 'state' | 'decidedBy' | 'waitedFor'>

/** Returns what happens next with a deployment, or what has become of it, as one sentence. */
export function describeDecision(decision: Described): string {
  const { state, waitedFor } = decision
  if (state === 'waiting')
    return waitedFor === null ? 'It is about to go on.' : `It waits for ${waitedFor}.`
  if (state === 'passed') return describePassed(decision)
  if (state === 'expired') return 'Nothing asked any more. If it is still needed, deploy it again.'
  return describeEnd(decision)
}

function describePassed(decision: Described): string {
  const waited = describeWait(decision)
  if (waited === undefined) return 'It went on without waiting.'
  const { waitedFor } = decision
  return waitedFor === null ? `It waited ${waited}.` : `It waited ${waited} for ${waitedFor}.`
}

/** Returns who let it go on or refused it, and after which time. */
function describeEnd(decision: Described): string {
  const { state, decidedBy } = decision
  const waited = describeWait(decision)
  const after = waited === undefined ? '' : ` after ${waited}`
  if (state === 'overridden')
    return `${decidedBy?.name ?? 'A person'} let it go on${after}, although its rules were not met.`
  return decidedBy === null ? `It was refused${after}.` : `${decidedBy.name} refused it${after}.`
}
