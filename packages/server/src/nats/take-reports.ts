import type { RecordReport } from '../delivery/relay/answer-relay.ts'
import { natsLayout } from '../replica/nats-subjects.ts'
import { parseReport } from '../replica/report.ts'
import type { NatsGroup } from '../settings/nats-settings.ts'
import type { Log } from '../telemetry/log.ts'
import type { NatsLink } from './nats-link.ts'
import type { ReplicaSource } from './replica-source.ts'

/** Lists what reports of nodes are taken from, and by what they are judged. */
export interface TakeReports {
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
export function takeReports({
  link,
  bucket,
  groups,
  source,
  recordReport,
  log,
}: TakeReports): () => void {
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
