import type { RecordReport } from '../delivery/relay/answer-relay.ts'
import { publisherUser } from '../replica/nats-permissions.ts'
import { inboxPrefix } from '../replica/nats-subjects.ts'
import type { Kit } from '../kit.ts'
import { openBucket } from './bucket.ts'
import { openNatsLink } from './nats-link.ts'
import { createNatsPublisher } from './publisher.ts'
import { createReplicaSource } from './replica-source.ts'
import { takeReports } from './take-reports.ts'

/**
 * Publishes everything in NATS where the settings name it, and records what nodes report there, until the process ends. Does not
 * wait for NATS.
 */
export async function openNatsPublisher(
  kit: Pick<Kit, 'settings' | 'store' | 'publisherKeys' | 'closing' | 'now' | 'log'>,
  recordReport: RecordReport,
): Promise<void> {
  const { settings, closing, log } = kit
  if (settings.nats === undefined) return
  const { bucket: name, domain, groups } = settings.nats
  const link = await openNatsLink({
    settings: settings.nats,
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
}
