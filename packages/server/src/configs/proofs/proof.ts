import type { ProofState, ProofTerms } from '@signalbox/contract'
import type { NotRestoredReason, ProofReason } from '@signalbox/contract/rest'

/** Names a version of an environment. */
export interface OriginOf {
  readonly environmentId: string
  readonly version: number
}

/** Describes a version that took a change back. */
export interface RestoredIn extends OriginOf {
  readonly versionId: string
  readonly keys: readonly string[]
}

/** Says why a proof ended as it did. */
export interface Reason {
  readonly code: ProofReason
  readonly signal: string | null
  readonly detail: string
}

/** Says what was not taken back, and why. */
export interface NotRestored {
  readonly code: NotRestoredReason
  readonly keys: readonly string[]
  readonly detail: string
}

/** Describes the watch over one version, as it is stored. */
export interface ProofRow extends OriginOf {
  readonly id: string
  readonly schemaId: string
  readonly versionId: string
  /** The proofs of one write have the same. */
  readonly writeId: string
  /** Lists where the write set something that is read here, nearest first. Empty: it set no values. */
  readonly origins: readonly OriginOf[]
  readonly keys: readonly string[]
  /** Maps each environment to the keys that its readers got otherwise by the write. */
  readonly reached: Readonly<Record<string, readonly string[]>>
  /** Lists the keys that a kill switch turned off. */
  readonly killedKeys: readonly string[]
  readonly terms: ProofTerms
  readonly authorId: string | null
  readonly state: ProofState
  /** Counts each time that it begins to be watched. Readings and test runs of an earlier time do not count. */
  readonly fence: number
  readonly startedAt: Date
  /** Holds when its signals were read last, or when it began to wait. */
  readonly watchedAt: Date
  readonly until: Date
  /** Names the proof of a later change, which is judged first. */
  readonly waitsFor: string | null
  readonly endedAt: Date | null
  readonly reason: Reason | null
  readonly restored: readonly RestoredIn[] | null
  readonly notRestored: NotRestored | null
  readonly stopped: {
    readonly member: { readonly id: string | null; readonly name: string }
    readonly as: 'proven' | 'tell'
  } | null
}

/** Describes how a proof ends. */
export interface Ending {
  readonly state: Exclude<ProofState, 'watching'>
  readonly reason: Reason | null
  readonly restored?: readonly RestoredIn[]
  readonly notRestored?: NotRestored
  readonly stopped?: NonNullable<ProofRow['stopped']>
}

/** Returns the name by which a test run belongs to a proof. A proof that is watched again starts another run. */
export function testRuleKey(
  { id, fence }: Pick<ProofRow, 'id' | 'fence'>,
  signalId: string,
): string {
  return `proof:${id}:${signalId}:${fence}`
}

/** Holds the longest pause between two looks that still counts as watching. */
const watchedGapMs = 60_000
const checkEveryMs = 15_000

/** Returns a proof after its signals were read. Time in which nobody checked does not count: its end moves on. */
export function noteCheck(proof: ProofRow, now: Date): ProofRow {
  const gapMs = now.getTime() - proof.watchedAt.getTime()
  const unwatchedMs = gapMs > watchedGapMs ? gapMs - checkEveryMs : 0
  return { ...proof, watchedAt: now, until: new Date(proof.until.getTime() + unwatchedMs) }
}

/** Returns a proof that waits until the one of a later change is judged. */
export function suspend(proof: ProofRow, waitsFor: string, now: Date): ProofRow {
  return { ...proof, waitsFor, watchedAt: now }
}

/** Returns a proof that goes on for the time that remained. What was read and tested before does not count. */
function resume(proof: ProofRow, now: Date): ProofRow {
  const waitedMs = Math.max(0, now.getTime() - proof.watchedAt.getTime())
  const until = new Date(proof.until.getTime() + waitedMs)
  return { ...proof, waitsFor: null, watchedAt: now, until, fence: proof.fence + 1 }
}

/** Returns the proofs that go on, because the one that they wait for has ended or is gone. */
export function resumeLeft(watching: readonly ProofRow[], now: Date): ProofRow[] {
  const ids = new Set(watching.map(({ id }) => id))
  return watching
    .filter(({ waitsFor }) => waitsFor !== null && !ids.has(waitsFor))
    .map((proof) => resume(proof, now))
}

/**
 * Ends a proof, and returns it with what becomes of the others: the proofs of the same write end with it where the change is gone.
 * An older change that waited goes on; it is proven where the newer one is, because it was live all the while; and it is undecided
 * where the newer one failed and is still live.
 */
export function concludeProof(
  watching: readonly ProofRow[],
  proof: ProofRow,
  ending: Ending,
  now: Date,
): ProofRow[] {
  const others = watching.filter(({ id }) => id !== proof.id)
  const gone = others.filter((other) => isTakenBack(other, proof, ending))
  const ended = [
    end(proof, ending, now),
    ...gone.map((other) => end(other, sharedEnding(ending), now)),
  ]
  const left = others.filter((other) => !gone.includes(other))
  return ended.flatMap((one) => [one, ...settleWaiting(left, one, now)])
}

function end(proof: ProofRow, ending: Ending, now: Date): ProofRow {
  return {
    ...proof,
    waitsFor: null,
    endedAt: now,
    state: ending.state,
    reason: ending.reason,
    restored: ending.restored ?? null,
    notRestored: ending.notRestored ?? null,
    stopped: ending.stopped ?? null,
  }
}

/** Returns whether the change that another proof watches went back with this one: each place where it was made was restored. */
function isTakenBack(other: ProofRow, { writeId, schemaId }: ProofRow, { restored = [] }: Ending) {
  return (
    restored.length > 0 &&
    other.writeId === writeId &&
    other.schemaId === schemaId &&
    other.origins.length > 0 &&
    other.origins.every(({ environmentId }) =>
      restored.some((each) => each.environmentId === environmentId),
    )
  )
}

function sharedEnding({ reason, restored = [] }: Ending): Ending {
  const detail = `The change was taken back: ${reason?.detail ?? ''}`
  return {
    state: 'failed',
    reason: { code: 'origin', signal: reason?.signal ?? null, detail },
    restored,
  }
}

function settleWaiting(left: readonly ProofRow[], ended: ProofRow, now: Date): ProofRow[] {
  const waiting = left.filter(({ waitsFor }) => waitsFor === ended.id)
  const ending = endingOfOlder(ended)
  if (ending === undefined) return waiting.map((proof) => resume(proof, now))
  return waiting.flatMap((proof) => {
    const one = end(proof, ending, now)
    return [one, ...settleWaiting(left, one, now)]
  })
}

/** Returns how an older change ends with a newer one. `undefined`: it goes on. */
function endingOfOlder({ state, restored, stopped, reason }: ProofRow): Ending | undefined {
  if (stopped !== null) return undefined
  if (state === 'proven') return { state: 'proven', reason: null }
  const isLive = state === 'failed' && (restored ?? []).length === 0
  if (!isLive && reason?.code !== 'superseded') return undefined
  const detail = 'A later change failed and is still live, so nothing can be said about this one.'
  return { state: 'inconclusive', reason: { code: 'superseded', signal: null, detail } }
}
