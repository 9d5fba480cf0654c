import type { RecordReport } from '../delivery/relay/answer-relay.ts'
import { publisherUser } from '../replica/nats-permissions.ts'
import { inboxPrefix, natsLayout } from '../replica/nats-subjects.ts'
import type { Kit } from '../kit.ts'
import type { NatsSettings, NatsGroup } from '../settings/nats-settings.ts'
import { openBucket } from './bucket.ts'
import { openNatsLink, type NatsLink } from './nats-link.ts'
import type { Publication } from './publication.ts'
import { createNatsPublisher } from './publisher.ts'
import { createReplicaSource, type ReplicaSource } from './replica-source.ts'
import { parseReport } from '../replica/report.ts'
import type { Log } from '../telemetry/log.ts'

/**
 * Publishes everything in NATS, and records what nodes report there, until the process ends. Does not wait for NATS. Returns what
 * describes whether it arrives.
 */
export async function openNatsPublisher(
  kit: Pick<Kit, 'store' | 'publisherKeys' | 'closing' | 'now' | 'log' | 'metrics'>,
  settings: NatsSettings,
  recordReport: RecordReport,
): Promise<() => Publication> {
  const { closing, log, metrics } = kit
  const { bucket: name, domain, groups } = settings
  const link = await openNatsLink({
    settings,
    inboxPrefix: inboxPrefix(publisherUser),
    log,
  })
  closing.push(() => link.close())
  const source = createReplicaSource(kit)
  const publisher = createNatsPublisher({
    ...kit,
    link,
    bucket: openBucket(link, name, domain),
    source,
    groups,
  })
  closing.push(() => publisher.close())
  closing.push(takeReports({ link, bucket: name, groups, source, recordReport, log }))
  publisher.start()
  metrics.watchPublication(() => publisher.state().ageSeconds)
  return () => publisher.state()
}

/** Lists what reports of nodes are taken from, and by what they are judged. */
interface TakeReports {
  readonly link: Pick<NatsLink, 'subscribe'>
  readonly bucket: string
  readonly groups: readonly NatsGroup[]
  readonly source: { readonly keyCache: Pick<ReplicaSource['keyCache'], 'findOrganization'> }
  readonly recordReport: RecordReport
  readonly log: Pick<Log, 'warn'>
}

/**
 * Records what the nodes of each group report, with the scope of their group. Returns what stops that. Every worker hears a report:
 * to record it again changes nothing.
 */
function takeReports({ link, bucket, groups, source, recordReport, log }: TakeReports): () => void {
  const layout = natsLayout(bucket)
  const toScope = ({ organizations }: NatsGroup) => {
    const ids = organizations?.map((each) => source.keyCache.findOrganization(each)?.id)
    const known = ids?.filter((id) => id !== undefined)
    return { orgIds: known === undefined ? null : new Set(known), environmentIds: null }
  }
  const take = async (group: NatsGroup, text: string) => {
    const report = parseReport(text)
    if (report === undefined) return
    try {
      await recordReport(report, { reporter: `nats:${group.name}`, scope: toScope(group) })
    } catch (error) {
      log.warn('Could not record the report of a node', { error })
    }
  }
  const stops = groups.map((group) =>
    link.subscribe(layout.reportOf(group.name), (data) => {
      void take(group, Buffer.from(data).toString('utf8'))
    }),
  )
  return () => {
    for (const stop of stops) stop()
  }
}
