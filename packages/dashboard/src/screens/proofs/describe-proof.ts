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
type Described = Pick<
  ProofSummary,
  | 'state'
  | 'until'
  | 'waitsFor'
  | 'signals'
  | 'reason'
  | 'restoredVersions'
  | 'notRestored'
  | 'stoppedBy'
>

/** Holds what names a proof in one or two words. */
export interface NamedProof extends Pick<ProofSummary, 'state' | 'until' | 'waitsFor'> {
  /** Says that it waits for the result of a test run. */
  readonly hasTests: boolean
  readonly isRestored: boolean
  readonly isPartial: boolean
}

/** Returns how a proof stands or ended, in one or two words. Example: `Unproven, 12 min left`. */
export function nameProof(proof: NamedProof, now: number): Omit<ProofWords, 'sentence'> {
  switch (proof.state) {
    case 'watching':
      return { word: describeWatching(proof, now), tone: 'warn', icon: CircleDashed }
    case 'proven':
      return { word: 'Proven', tone: 'ok', icon: CircleCheck }
    case 'failed':
      if (!proof.isRestored) return { word: 'Failed, not restored', tone: 'bad', icon: CircleX }
      return proof.isPartial
        ? { word: 'Partly restored', tone: 'bad', icon: CircleX }
        : { word: 'Restored', tone: 'bad', icon: Undo2 }
    case 'inconclusive':
      return { word: 'Not proven', tone: 'neutral', icon: CircleSlash }
    case 'stopped':
      return { word: 'Stopped', tone: 'neutral', icon: CircleStop }
  }
}

/** Returns how a proof stands, or how it ended. */
export function describeProof(proof: Described, now: number): ProofWords {
  const named = nameProof(
    {
      ...proof,
      hasTests: proof.signals.some(({ kind }) => kind === 'tests'),
      isRestored: proof.restoredVersions.length > 0,
      isPartial: proof.notRestored !== null,
    },
    now,
  )
  return { ...named, sentence: toSentence(proof, named.word) }
}

function toSentence(proof: Described, word: string): string {
  const { state, stoppedBy, reason } = proof
  if (state === 'failed') return describeFailed(proof)
  if (state === 'proven' && stoppedBy !== null) return `Proven, as ${stoppedBy.name} said`
  if (state === 'inconclusive') return `Not proven: ${toClause(reason)}`
  if (state === 'stopped') return `Stopped by ${stoppedBy?.name ?? 'somebody'}, without a result`
  return word
}

function describeFailed({ restoredVersions, notRestored, reason }: Described): string {
  if (restoredVersions.length === 0)
    return `Failed, not restored: ${toClause(notRestored ?? reason)}`
  const whole =
    reason?.code === 'origin'
      ? reason.detail.replace(/\.$/, '')
      : `Restored because ${toClause(reason)}`
  return notRestored === null
    ? whole
    : `${whole}, but not ${notRestored.keys.join(', ')}: ${toClause(notRestored)}`
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

function describeWatching({ until, waitsFor, hasTests }: NamedProof, now: number): string {
  if (waitsFor !== null) return 'Unproven, waits for a later change'
  const left = Date.parse(until) - now
  if (left > 0) return `Unproven, ${describeMinutes(Math.ceil(left / 60_000))} left`
  return hasTests ? 'Unproven, waits for its tests' : 'Unproven, ends in a moment'
}

/** Returns minutes in words. Example: `1 h 30 min`. */
export function describeMinutes(minutes: number): string {
  return minutes === 1 ? '1 min' : toDuration(minutes * 60_000)
}
