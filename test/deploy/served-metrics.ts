import { createMetrics, type Metrics } from '../../packages/server/src/telemetry/metrics.ts'

/** Holds the values of each label of each metric. A metric without labels has none. */
export type ServedMetrics = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>

/** Records everything once that the service records, and with each of the values that a label is limited to. */
const recordings: Record<
  Exclude<keyof Metrics, 'contentType' | 'render' | 'listFigures' | 'joinProcesses'>,
  (metrics: Metrics) => void
> = {
  recordRequest(metrics) {
    for (const listener of ['api', 'delivery'] as const)
      metrics.recordRequest({ listener, method: 'GET', route: '/me', status: 200, durationMs: 1 })
  },
  recordRefusedConnection: (metrics) => metrics.recordRefusedConnection('reset'),
  recordRateLimited: (metrics) => metrics.recordRateLimited('read'),
  recordJob(metrics) {
    for (const outcome of ['done', 'failed'] as const)
      metrics.recordJob({ queue: 'inbox.process', outcome, durationMs: 1 })
  },
  recordFailedJob: (metrics) => metrics.recordFailedJob('inbox.process'),
  setOpenStreams(metrics) {
    for (const audience of ['browser', 'server', 'ofrep', 'flagd', 'replica', 'dashboard'] as const)
      metrics.setOpenStreams(audience, 1)
  },
  recordCutStream: (metrics) => metrics.recordCutStream(),
  recordReplicaRefused: (metrics) => metrics.recordReplicaRefused('signature'),
  recordAuditSent: (metrics) => metrics.recordAuditSent('otlp', 1),
  recordAuditFailure: (metrics) => metrics.recordAuditFailure('otlp', 'http_503'),
  setAuditOutlet: (metrics) =>
    metrics.setAuditOutlet({ outlet: 'otlp', waiting: 1, lagSeconds: 1 }),
  watchSchedules: (metrics) => metrics.watchSchedules(() => 7),
  watchPublication: (metrics) => metrics.watchPublication(() => 1),
  watchDisk: (metrics) => metrics.watchDisk(async () => 0.5),
  watchEpoch: (metrics) => metrics.watchEpoch(() => 1),
  watchDelivery: (metrics) =>
    metrics.watchDelivery(() => ({
      snapshots: 1,
      ageSeconds: 1,
      isOnDisk: true,
      answers: [{ route: 'snapshot', status: 200, count: 1 }],
    })),
}

/** Lists the methods that record something. */
export const recorders = Object.keys(recordings)

/** Returns what `/metrics` of a node serves, by the names that Prometheus stores. */
export async function listServedMetrics(): Promise<ServedMetrics> {
  const metrics = createMetrics({ version: '1.2.3' })
  for (const record of Object.values(recordings)) record(metrics)
  return parseMetrics(await metrics.render())
}

/** Parses the text format of Prometheus. */
function parseMetrics(text: string): ServedMetrics {
  const found = new Map<string, Map<string, Set<string>>>()
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z_]\w*)(?:\{([^\n]*)\})? \S+$/gm)) {
    const values = found.get(name) ?? new Map<string, Set<string>>()
    found.set(name, values)
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g))
      values.set(label, (values.get(label) ?? new Set()).add(value))
  }
  return found
}
