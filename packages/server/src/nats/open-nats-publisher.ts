import type { RecordReport } from '../delivery/relay/answer-relay.ts'
import { publisherUser } from '../replica/nats-permissions.ts'
import { inboxPrefix } from '../replica/nats-subjects.ts'
import type { Kit } from '../kit.ts'
import type { NatsSettings } from '../settings/nats-settings.ts'
import { openBucket } from './bucket.ts'
import { openNatsLink } from './nats-link.ts'
import type { Publication } from './publication.ts'
import { createNatsPublisher } from './publisher.ts'
import { createReplicaSource } from './replica-source.ts'
import { takeReports } from './take-reports.ts'

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
