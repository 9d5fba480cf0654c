import { UpstreamError, type Upstream } from '../delivery/relay/upstream.ts'
import { isOlderMark, type Mark } from '../replica/mark.ts'
import { indexKey, markKey, objectKey } from '../replica/nats-subjects.ts'
import { parseSigned } from '../replica/object-name.ts'
import type { Bucket } from './bucket.ts'
import { readObject } from './bucket-objects.ts'
import { createHearing, type BelievedMark } from './hearing.ts'
import type { NatsLink } from './nats-link.ts'

/** Describes the dependencies of `createNatsUpstream`. */
export interface NatsUpstreamDeps {
  readonly link: Pick<NatsLink, 'host' | 'subscribe' | 'onConnect'>
  readonly bucket: Pick<Bucket, 'layout' | 'read'>
  readonly group: string
  readonly publicKeys: readonly string[]
}

/**
 * Creates the upstream of a node that NATS feeds. It hears what is new at once, and asks for the stored mark whenever it is
 * asked for one: a message may be lost. It watches nothing, because a watch of NATS may go blind without a word.
 */
export function createNatsUpstream(deps: NatsUpstreamDeps): Upstream {
  const { link, bucket, group, publicKeys } = deps
  const hearing = createHearing({ publicKeys, elapsedMs: () => performance.now() })
  return {
    publicKeys,
    host: link.host,
    keyHandle: undefined,
    readMark: createMarkReader(deps, hearing),
    async readObject({ sha256, orgId }) {
      const key = orgId === undefined ? indexKey(group, sha256) : objectKey(orgId, sha256)
      const text = hearing.find(sha256) ?? (await readObject(bucket, key))
      if (text !== undefined) return text
      throw new UpstreamError(`NATS at ${link.host} lacks a part of what its mark names.`)
    },
    follow(wake) {
      const stops = [
        link.subscribe(bucket.layout.nowOf(group), (data) => {
          if (hearing.hear(Buffer.from(data).toString('utf8'))) wake()
        }),
        link.onConnect(wake),
      ]
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
}

/** Creates what returns the newest mark of those that were heard and the one that is stored. */
function createMarkReader(
  { link, bucket, group }: NatsUpstreamDeps,
  hearing: ReturnType<typeof createHearing>,
): Upstream['readMark'] {
  let returned: Mark | undefined
  const give = ({ mark, signed }: BelievedMark): string => {
    returned = mark
    return JSON.stringify(signed)
  }
  const readStored = async (): Promise<string> => {
    const value = await bucket.read(markKey(group))
    if (value !== undefined) return Buffer.from(value.data).toString('utf8')
    throw new UpstreamError(
      `NATS at ${link.host} has no mark of the group ${group}. A worker publishes it that has SIGNALBOX_NATS_URL, and the group in SIGNALBOX_NATS_GROUPS.`,
    )
  }
  return async () => {
    const heard = hearing.newest()
    if (heard && (returned === undefined || isOlderMark(returned, heard.mark))) return give(heard)
    try {
      const text = await readStored()
      const stored = hearing.judge(parseSigned(text))
      if (stored === undefined) return heard === undefined ? text : give(heard)
      return give(heard && isOlderMark(stored.mark, heard.mark) ? heard : stored)
    } catch (error) {
      if (heard !== undefined && hearing.isRecent()) return give(heard)
      throw error
    }
  }
}
