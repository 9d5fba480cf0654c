import {
  CircleCheck,
  CircleDashed,
  CircleSlash,
  CircleStop,
  CircleX,
  Undo2,
  type LucideIcon,
} from 'lucide-react'
import type { ItemOf } from '../../api/routes.ts'
import type { Tone } from '../../components/badge.tsx'
import { toDuration } from '../../components/time.tsx'

/** Describes a proof as lists show it. */
export type ProofSummary = ItemOf<'GET /organizations/{org_id}/proofs'>

/** Describes how a proof is shown: in one or two words, and in a sentence. */
export interface ProofWords {
  /** Example: `Restored`. */
  readonly word: string
  /** Example: `Restored because api-errors was 4.2, above 2`. */
  readonly sentence: string
  readonly tone: Tone
  readonly icon: LucideIcon
}

/** Holds what a proof is described by. */
export type Described = Pick<
  ProofSummary,
  'state' | 'until' | 'waitsFor' | 'signals' | 'reason' | 'notRestored' | 'stoppedBy'
> & { readonly restoredVersions: readonly unknown[] }

/** Returns how a proof stands, or how it ended. */
export function describeProof(proof: Described, now: number): ProofWords {
  switch (proof.state) {
    case 'watching': {
      const sentence = describeWatching(proof, now)
      return { word: sentence, sentence, tone: 'warn', icon: CircleDashed }
    }
    case 'proven':
      return {
        word: 'Proven',
        sentence: proof.stoppedBy === null ? 'Proven' : `Proven, as ${proof.stoppedBy.name} said`,
        tone: 'ok',
        icon: CircleCheck,
      }
    case 'failed':
      return describeFailed(proof)
    case 'inconclusive':
      return {
        word: 'Not proven',
        sentence: `Not proven: ${toClause(proof.reason)}`,
        tone: 'neutral',
        icon: CircleSlash,
      }
    case 'stopped':
      return {
        word: 'Stopped',
        sentence: `Stopped by ${proof.stoppedBy?.name ?? 'somebody'}, without a result`,
        tone: 'neutral',
        icon: CircleStop,
      }
  }
}

function describeFailed({ restoredVersions, notRestored, reason }: Described): ProofWords {
  const failed = { tone: 'bad', icon: CircleX } as const
  if (restoredVersions.length === 0) {
    const sentence = `Failed, not restored: ${toClause(notRestored ?? reason)}`
    return { word: 'Failed, not restored', sentence, ...failed }
  }
  const whole =
    reason?.code === 'origin'
      ? reason.detail.replace(/\.$/, '')
      : `Restored because ${toClause(reason)}`
  if (notRestored === null) {
    return { word: 'Restored', sentence: whole, tone: 'bad', icon: Undo2 }
  }
  const sentence = `${whole}, but not ${notRestored.keys.join(', ')}: ${toClause(notRestored)}`
  return { word: 'Partly restored', sentence, ...failed }
}

/** Lists the codes whose sentence begins with the name of a signal. */
const named: ReadonlySet<string> = new Set(['signal', 'tests'])

/** Returns a sentence of the server as the end of another one. */
function toClause(said: { readonly code: string; readonly detail: string } | null): string {
  if (said === null) return ''
  const text = said.detail.replace(/\.$/, '')
  const keepsStart = named.has(said.code) || text.startsWith('Signalbox')
  return keepsStart ? text : `${text.charAt(0).toLowerCase()}${text.slice(1)}`
}

function describeWatching({ until, waitsFor, signals }: Described, now: number): string {
  if (waitsFor !== null) return 'Unproven, waits for a later change'
  const left = Date.parse(until) - now
  if (left > 0) return `Unproven, ${describeMinutes(Math.ceil(left / 60_000))} left`
  return signals.some(({ kind }) => kind === 'tests')
    ? 'Unproven, waits for its tests'
    : 'Unproven, ends in a moment'
}

/** Returns minutes in words. Example: `1 h 30 min`. */
export function describeMinutes(minutes: number): string {
  return minutes === 1 ? '1 min' : toDuration(minutes * 60_000)
}
