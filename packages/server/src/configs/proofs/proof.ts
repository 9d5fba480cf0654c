import { isWeakerProof, type ProofState, type ProofTerms } from '@signalbox/contract'
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
export const watchedGapMs = 60_000
/** Holds how long a single look counts as watching. */
export const watchedAloneMs = 15_000
/** Holds the shortest time for which a proof goes on, so that its tests can start again. */
const resumedForMs = 60_000

/** Returns a proof after its signals were read. Time in which nobody checked does not count: its end moves on. */
export function noteCheck(proof: ProofRow, now: Date): ProofRow {
  const gapMs = now.getTime() - proof.watchedAt.getTime()
  const unwatchedMs = gapMs > watchedGapMs ? gapMs - watchedAloneMs : 0
  return { ...proof, watchedAt: now, until: new Date(proof.until.getTime() + unwatchedMs) }
}

/** Returns a proof that goes on for the time that remained. What was read and tested before does not count. */
function resume(proof: ProofRow, now: Date): ProofRow {
  const waitedMs = Math.max(0, now.getTime() - proof.watchedAt.getTime())
  const until = new Date(Math.max(proof.until.getTime() + waitedMs, now.getTime() + resumedForMs))
  return { ...proof, waitsFor: null, watchedAt: now, until, fence: proof.fence + 1 }
}

/** Returns the proofs that go on, or wait for another one, because the one that they waited for was deleted with its schema. */
export function resumeLeft(watching: readonly ProofRow[], now: Date): ProofRow[] {
  const ids = new Set(watching.map(({ id }) => id))
  const left = watching.filter(({ waitsFor }) => waitsFor !== null && !ids.has(waitsFor))
  return left.map((proof) => {
    const isJudged = ({ waitsFor, environmentId }: ProofRow) =>
      waitsFor === null && environmentId === proof.environmentId
    return goOn(proof, watching.find(isJudged), now)
  })
}

/** Returns a proof that waits for `next`, or goes on where there is none. */
function goOn(proof: ProofRow, next: ProofRow | undefined, now: Date): ProofRow {
  return next === undefined ? resume(proof, now) : { ...proof, waitsFor: next.id }
}

/**
 * Ends a proof, and returns it with what becomes of the others: the proofs of the same write end with it where the change is gone.
 * An older change that waited goes on; it is proven where the newer one is and asked for as much, because it was live all the while;
 * and it is undecided where the newer one failed and is still live.
 */
export function concludeProof(
  watching: readonly ProofRow[],
  proof: ProofRow,
  ending: Ending,
  now: Date,
): ProofRow[] {
  const others = watching.filter(({ id }) => id !== proof.id)
  const gone = others.filter((other) => isTakenBack(other, proof, ending))
  const left = others.filter((other) => !gone.includes(other))
  return [
    ...endWithOlder(left, proof, ending, now),
    ...gone.flatMap((other) => endWithOlder(left, other, sharedEnding(ending), now)),
  ]
}

/** Ends a proof, and returns it with those that waited for it. */
function endWithOlder(
  left: readonly ProofRow[],
  proof: ProofRow,
  ending: Ending,
  now: Date,
): ProofRow[] {
  const ended = end(proof, ending, now)
  const next = findNext(left, proof)
  const older = left
    .filter(({ waitsFor }) => waitsFor === proof.id)
    .flatMap((each) => {
      const its = endingOfOlder(each, ended, next)
      if (its === undefined) return [goOn(each, next, now)]
      const others = left.filter((other) => other !== each)
      return endWithOlder(others, each, its, now)
    })
  return [ended, ...older]
}

/** Returns what is still judged before those that waited for a proof: what it waited for itself, or another version of its write. */
function findNext(
  left: readonly ProofRow[],
  { waitsFor, writeId, environmentId }: ProofRow,
): ProofRow | undefined {
  return (
    left.find(({ id }) => id === waitsFor) ??
    left.find(
      (other) =>
        other.waitsFor === null &&
        other.writeId === writeId &&
        other.environmentId === environmentId,
    )
  )
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

/** Returns how an older change ends with a newer one. `undefined`: it goes on, or waits for `next`. */
function endingOfOlder(
  { terms }: ProofRow,
  newer: ProofRow,
  next: ProofRow | undefined,
): Ending | undefined {
  const { state, restored, stopped, reason } = newer
  if (stopped !== null) return undefined
  if (state === 'proven')
    return next === undefined && proves(newer.terms, terms)
      ? { state: 'proven', reason: null }
      : undefined
  const isLive = state === 'failed' && (restored ?? []).length === 0
  if (!isLive && reason?.code !== 'superseded') return undefined
  const detail = 'A later change failed and is still live, so nothing can be said about this one.'
  return { state: 'inconclusive', reason: { code: 'superseded', signal: null, detail } }
}

/** Returns whether a change that was live under stricter terms, with each of its own signals heard, is proven by them. */
function proves(newer: ProofTerms, older: ProofTerms): boolean {
  const areAllHeard = newer.noData === 'hold' || newer.signals.length === older.signals.length
  return areAllHeard && !isWeakerProof(older, newer)
}
