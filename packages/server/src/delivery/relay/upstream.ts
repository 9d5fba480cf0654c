import type { Rejection } from '../../replica/guards.ts'
import type { RecordHeader } from '../../replica/record-header.ts'
import type { Signed } from '../../replica/signed.ts'

/** Names an index, a manifest or a record by the SHA-256 of its text. */
export interface ReplicaObject {
  readonly sha256: string
  /** Holds the organization that it is about, `noPart` for what belongs to the server; `undefined` for an index. */
  readonly orgId: string | undefined
}

/** Describes what feeds a node without a database, whatever carries it: another delivery, or a store of messages. */
export interface Upstream {
  /** Returns the newest mark with its signatures, as JSON. */
  readMark(): Promise<string>
  /** Returns the text of an object. Rejects when it is not there. */
  readObject(object: ReplicaObject): Promise<string>
  /** Calls `wake` when there may be another mark, so that nobody waits for the next look. Returns what stops that. */
  follow(wake: () => void): () => void
  /** Lists the public keys of the server that publishes everything, as its operator has handed them over. */
  readonly publicKeys: readonly string[]
  /** Names the upstream in the log and in `/readyz`. */
  readonly host: string
  /** Holds the public part of the relay key, by which this node knows what it may pass on; without one it passes on nothing. */
  readonly keyHandle: string | undefined
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

/** Says in one sentence for the operator why the upstream cannot be read. `/readyz` shows it. */
export class UpstreamError extends Error {
  override readonly name: string = 'UpstreamError'
}

/** Says that something of the upstream was not believed. What was held stays. */
export class RefusedError extends UpstreamError {
  override readonly name = 'RefusedError'
  readonly reason: Rejection

  constructor(reason: Rejection, what: string) {
    super(`The upstream’s ${what} is not believed: ${reason}.`)
    this.reason = reason
  }
}
