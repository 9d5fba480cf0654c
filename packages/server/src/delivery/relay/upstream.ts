import type { Refusal } from '../../replica/guards.ts'
import type { RecordHeader } from '../../replica/record-header.ts'
import type { Signed } from '../../replica/signed.ts'

/** Describes the delivery that a relay is fed by. */
export interface Upstream {
  /** Returns the text at a path below its address. Rejects unless the answer is 200. */
  get(path: string): Promise<string>
  /** Lists the public keys of the server that publishes everything, as its operator has handed them over. */
  readonly publicKeys: readonly string[]
  /** Names the upstream in the log and in `/readyz`. */
  readonly host: string
  /** Holds the public part of the relay key, by which this node knows what it may pass on. */
  readonly keyHandle: string
}

/** Receives what was believed. */
export interface ReplicaTarget {
  /** Takes the content of a record. Called only where it is new. @throws {Error} when its header is another's */
  apply(header: RecordHeader, content: string): void
  /** Removes the snapshots whose addresses are not listed. */
  keepOnly(addresses: ReadonlySet<string>): void
  /** Saves the newest mark: a node that forgets it can be shown an older state. */
  saveMark(mark: Signed): void
}

/** Says that something of the upstream was not believed. What was held stays. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly reason: Refusal

  constructor(reason: Refusal, what: string) {
    super(`The upstream's ${what} is not believed: ${reason}`)
    this.reason = reason
  }
}
