import type { GateReason } from '@signalbox/contract/rest'
import type { DecisionViewRow } from './decision-view-rows.ts'

type Described = Pick<
  DecisionViewRow,
  'state' | 'waitedFor' | 'askedAt' | 'decidedAt' | 'decidedBy'
>

/** Returns the reasons that hold a deployment up. */
export function listBlocking({
  reasons,
}: {
  readonly reasons: readonly GateReason[]
}): readonly GateReason[] {
  return reasons.filter(({ state, isWatched }) => state !== 'met' && !isWatched)
}

/** Describes in one line what a deployment waits or has waited for. Example: `Waited 12 min for tests of 4f1c2aa in staging`. */
export function describeDecision(of: Described): string {
  const { state, waitedFor, decidedBy } = of
  const reason = waitedFor === null ? '' : ` for ${waitedFor}`
  const by = decidedBy?.name
  switch (state) {
    case 'waiting':
      return `Waits${reason}`
    case 'passed':
      return waitedFor === null ? 'Went on without waiting' : `Waited ${describeWait(of)}${reason}`
    case 'overridden':
      return `${by ?? 'An admin'} let it go on without waiting${reason}`
    case 'refused':
      return by === undefined ? 'Its gates refused it' : `${by} refused it`
    case 'expired':
      return 'Stopped asking whether it may go on'
  }
}

function describeWait({ askedAt, decidedAt }: Described): string {
  const seconds = Math.round(((decidedAt ?? askedAt).getTime() - askedAt.getTime()) / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}
