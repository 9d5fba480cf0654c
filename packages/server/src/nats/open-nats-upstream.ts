import type { Upstream } from '../delivery/relay/upstream.ts'
import type { ProcessKit } from '../kit.ts'
import { inboxPrefix, natsLayout } from '../replica/nats-subjects.ts'
import { renderReport, type ReplicaReport } from '../replica/report.ts'
import type { NatsSettings } from '../settings/nats-settings.ts'
import { openBucket } from './bucket.ts'
import { openNatsLink } from './nats-link.ts'
import { createNatsUpstream } from './nats-upstream.ts'

/** Describes an upstream with a connection of its own. */
export interface OpenUpstream {
  readonly upstream: Upstream
  /** Sends a report to the workers that listen. Rejects without a connection. */
  readonly sendReport: (report: ReplicaReport) => Promise<void>
  close(): Promise<void>
}

/** Opens the upstream of a node that NATS feeds. Does not wait for NATS. */
export async function openNatsUpstream(
  settings: NatsSettings,
  { log }: Pick<ProcessKit, 'log'>,
): Promise<OpenUpstream> {
  const { group, publisherKeys: publicKeys } = settings
  const link = await openNatsLink({ settings, inboxPrefix: inboxPrefix(group), log })
  const bucket = openBucket(link, settings.bucket, settings.domain)
  return {
    upstream: createNatsUpstream({ link, bucket, group, publicKeys }),
    async sendReport(report) {
      await link.ready()
      const subject = natsLayout(settings.bucket).reportOf(group)
      if (!link.publish(subject, renderReport(report))) {
        throw new Error(`NATS cannot be reached at ${link.host}`)
      }
    },
    close: () => link.close(),
  }
}
