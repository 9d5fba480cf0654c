import type { Rejection } from '../../replica/guards.ts'
import type { RecordHeader } from '../../replica/record-header.ts'
import type { Signed } from '../../replica/signed.ts'
import type { ReplicaChange } from '../disk/journal-page.ts'

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
  /** Says that its mark is of an earlier moment on purpose, and that nobody renews it. */
  readonly isStill?: true
}

/** Describes a record whose content was read. */
export interface ReadRecord {
  readonly header: RecordHeader
  readonly content: string
  /** Returns whether the node has something else, or less. */
  readonly isNew: () => boolean
  /** Takes it into the memory, and leaves it to the disk. */
  readonly apply: () => void
}

/** Describes everything that a poll has believed. */
export interface Believed {
  readonly mark: Signed
  readonly records: readonly ReadRecord[]
  /** Holds the addresses that are listed: the snapshots of others are removed. */
  readonly addresses: ReadonlySet<string>
}

/** Receives what was believed. */
export interface ReplicaTarget {
  /** Reads the content of a record. @throws {Error} when its header is another's */
  readRecord(header: RecordHeader, content: string): ReadRecord
  /** Writes what is new to the disk, and serves it then: a node that crashes never begins with less than it has served. */
  take(believed: Believed): Promise<void>
  /** Takes what was written to the disk before the last stop. */
  restore(change: ReplicaChange): void
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
