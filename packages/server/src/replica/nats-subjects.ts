import { noPart } from './record-header.ts'

/**
 * Holds where everything of a replica is in NATS. A stream with the layout of a KV bucket stores the objects by the SHA-256 of
 * their text, so that rights go by the beginning of a subject:
 *
 * | Key | Holds |
 * |---|---|
 * | `org_….<sha256>` | a manifest or a record of an organization |
 * | `_.<sha256>` | a manifest or a record of the server |
 * | `_g.<group>.<sha256>` | the index of a group |
 * | `_g.<group>.mark` | the mark of a group, the only key whose value changes |
 * | `<key of an object>.<n>` | a part of an object that is longer than one message; the key of the object then says how many |
 *
 * Beside the stream, `signalbox.<bucket>.now.<group>` has what is new at the moment, and `signalbox.<bucket>.report.<group>` what
 * nodes say of themselves. Nobody stores either.
 */
export interface NatsLayout {
  /** Names the stream: `KV_signalbox`. */
  readonly stream: string
  /** Matches everything that the stream stores. */
  readonly everything: string
  /** Returns the subject of a key. */
  subjectOf(key: string): string
  /** Returns the key in a subject of the stream; `undefined` for a subject of another one. */
  keyOf(subject: string): string | undefined
  /** Returns the subject on which the newest mark of a group is said. */
  nowOf(group: string): string
  /** Returns the subject on which the nodes of a group report. */
  reportOf(group: string): string
  /** Returns the subject at which a node asks for the value of a key. `*` and `>` in the key make it a right to ask. */
  directGetOf(key: string): string
  /** Returns the subject of a call that manages the stream, such as `INFO`. */
  callOf(call: string): string
}

/** Names the group that has every organization. It always exists. */
export const groupOfAll = 'all'

/** Matches the name of a group, which is a part of a subject. */
export const groupPattern = /^[a-z0-9][a-z0-9-]{0,31}$/

/** Matches the name of a bucket, which is a part of a subject and of the name of a stream. */
export const bucketPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/

/** Matches the name of a JetStream domain, which is a part of a subject. */
export const domainPattern = /^[A-Za-z0-9_-]{1,32}$/

/**
 * Returns the layout of a bucket.
 *
 * @param domain - the JetStream domain of the servers that store: behind a leaf node without JetStream they are asked by it.
 */
export function natsLayout(bucket: string, domain?: string): NatsLayout {
  const stream = `KV_${bucket}`
  const prefix = `$KV.${bucket}.`
  const api = domain === undefined ? '$JS.API' : `$JS.${domain}.API`
  return {
    stream,
    everything: `${prefix}>`,
    subjectOf: (key) => `${prefix}${key}`,
    keyOf: (subject) => (subject.startsWith(prefix) ? subject.slice(prefix.length) : undefined),
    nowOf: (group) => `signalbox.${bucket}.now.${group}`,
    reportOf: (group) => `signalbox.${bucket}.report.${group}`,
    directGetOf: (key) => `${api}.DIRECT.GET.${stream}.${prefix}${key}`,
    callOf: (call) => `${api}.STREAM.${call}.${stream}`,
  }
}

/** Returns the key of a manifest or a record of an organization, or with `noPart` of the server. */
export function objectKey(orgId: string, sha256: string): string {
  return `${orgId}.${sha256}`
}

export function indexKey(group: string, sha256: string): string {
  return `_g.${group}.${sha256}`
}

/** Returns the key of the mark of a group. */
export function markKey(group: string): string {
  return `_g.${group}.mark`
}

/** Returns the key of a part of an object, counted from 0. */
export function chunkKey(key: string, number: number): string {
  return `${key}.${number}`
}

/** Returns the beginning of the inboxes of a group's nodes: nobody else may read their answers. */
export function inboxPrefix(group: string): string {
  return `_INBOX_${group}`
}

/** Limits what is in one message. Servers take 1 MiB by default; headers and the subject come on top. */
export const chunkBytes = 512 * 1024

/** Limits the message that says what is new, its objects included. */
export const nowBytes = 256 * 1000

/** Names the header that says in how many parts an object is stored. */
export const chunksHeader = 'Signalbox-Chunks'

/**
 * Lists the keys that a node of a group asks for, as patterns of subjects.
 *
 * @param orgIds - the organizations of the group; `undefined`: every one.
 */
export function readableKeys(group: string, orgIds: readonly string[] | undefined): string[] {
  if (orgIds === undefined) return ['>']
  return [`_g.${group}.>`, `${noPart}.>`, ...orgIds.map((orgId) => `${orgId}.>`)]
}
