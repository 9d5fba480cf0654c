import { inboxPrefix, natsLayout, readableKeys } from './nats-subjects.ts'

/** Lists the subjects that a user of NATS may publish and subscribe to. What is not listed is refused. */
export interface NatsPermissions {
  readonly publish: readonly string[]
  readonly subscribe: readonly string[]
}

/** Names the user that publishes. No group may have this name: its inbox would be the publisher's. */
export const publisherUser = 'publisher'

/** Names the stream that rights are about. */
export interface StreamName {
  readonly bucket: string
  /** Names the JetStream domain by which it is asked; `undefined`: it is asked without one. */
  readonly domain: string | undefined
}

/** Describes a delivery group, as far as its rights go. */
export interface GroupScope extends StreamName {
  readonly group: string
  /** Lists the organizations of the group; `undefined`: every one. */
  readonly orgIds: readonly string[] | undefined
}

/**
 * Lists what the nodes of a group may do: ask for keys by subject, listen to what is new, and report. They may make no consumer:
 * its maker chooses the subject that it delivers to, which may be the inbox of others.
 */
export function groupPermissions({ bucket, domain, group, orgIds }: GroupScope): NatsPermissions {
  const layout = natsLayout(bucket, domain)
  return {
    publish: [
      ...readableKeys(group, orgIds).map((key) => layout.directGetOf(key)),
      layout.reportOf(group),
    ],
    subscribe: [layout.nowOf(group), `${inboxPrefix(group)}.>`],
  }
}

/** Lists the calls of JetStream by which the publisher makes, lists and sweeps its stream. Deleting the stream is none of them. */
const publisherCalls = ['CREATE', 'INFO', 'PURGE'] as const

/** Lists what the publishers of a bucket may do. */
export function publisherPermissions({ bucket, domain }: StreamName): NatsPermissions {
  const layout = natsLayout(bucket, domain)
  return {
    publish: [
      layout.everything,
      layout.nowOf('*'),
      ...publisherCalls.map((call) => layout.callOf(call)),
      layout.directGetOf('>'),
    ],
    subscribe: [layout.reportOf('*'), `${inboxPrefix(publisherUser)}.>`],
  }
}
