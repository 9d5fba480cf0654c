import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { joinFigures, type MetricFigures } from './join-figures.ts'

/**
 * Counts what the service does. Labels are route templates, names of jobs and the like: never an id, a key or a value.
 */
export interface Metrics {
  readonly contentType: string
  /** Renders everything in the Prometheus text format. */
  render(): Promise<string>
  /** Returns the metrics of this process, for the process that renders those of the node. */
  listFigures(): Promise<readonly MetricFigures[]>
  /** Renders the metrics of other processes together with those of this one from now on. */
  joinProcesses(read: () => Promise<readonly (readonly MetricFigures[])[]>): void
  /** A request was answered. `route` is the template, such as `/organizations/{org_id}`. */
  recordRequest(request: AnsweredRequest): void
  /** A connection was refused before it became a request: malformed, too slow, headers too large. */
  recordRefusedConnection(reason: string): void
  /** A request was refused by its rate limit. */
  recordRateLimited(rateClass: string): void
  /** A try of a job ended. */
  recordJob(job: FinishedJob): void
  /** A job of a queue failed permanently. */
  recordFailedJob(queue: string): void
  setOpenStreams(
    audience: 'browser' | 'server' | 'ofrep' | 'flagd' | 'replica' | 'dashboard',
    count: number,
  ): void
  /** A stream was cut because its reader was too slow. */
  recordCutStream(): void
  /** Something that feeds this node was not believed, `count` times. `reason` comes from a short list. */
  recordReplicaRefused(reason: string, count?: number): void
  /** An outlet of the audit log took events. */
  recordAuditSent(outlet: string, count: number): void
  /** An outlet of the audit log failed. `reason` is a status such as `http_503`, or a code. */
  recordAuditFailure(outlet: string, reason: string): void
  /** Sets how many events have not left through an outlet, and the age of the oldest. */
  setAuditOutlet(state: AuditOutletFigures): void
  /** Reads the seconds since a scheduled job was added, whenever metrics are rendered. */
  watchSchedules(read: () => number): void
  /** Reads the seconds since NATS last had everything, whenever metrics are rendered. */
  watchPublication(read: () => number): void
  /** Reads which share of the disk of the data directory is free, whenever metrics are rendered. */
  watchDisk(read: () => Promise<number>): void
  /** Reads the epoch of this node whenever metrics are rendered; `undefined` while it knows none. */
  watchEpoch(read: () => number | undefined): void
  /** Reads the delivery's figures whenever metrics are rendered: its answers are too many to be recorded one by one. */
  watchDelivery(read: () => DeliveryFigures): void
}

/** Holds how far behind an outlet of the audit log is. */
export interface AuditOutletFigures {
  readonly outlet: string
  readonly waiting: number
  readonly lagSeconds: number
}

/** Holds the figures of the delivery at one moment. */
export interface DeliveryFigures {
  readonly snapshots: number
  /** Holds the seconds since the snapshots were last known to equal the database; `undefined` if unknown. */
  readonly ageSeconds: number | undefined
  /** Says that the disk cache can be written. */
  readonly isOnDisk: boolean
  readonly answers: readonly {
    readonly route: string
    readonly status: number
    readonly count: number
  }[]
}

export interface AnsweredRequest {
  readonly listener: 'api' | 'delivery'
  readonly method: string
  readonly route: string
  readonly status: number
  readonly durationMs: number
}

/** Describes a finished attempt of a job. */
export interface FinishedJob {
  readonly queue: string
  readonly outcome: 'done' | 'failed'
  readonly durationMs: number
}

export interface MetricsOptions {
  /** Holds the service's own version, shown as `signalbox_info`. */
  readonly version: string
  /** Lists the queues whose failed jobs are counted from 0 on: `increase()` does not see a counter begin at 1. */
  readonly queues?: readonly string[]
}

/** Creates the metrics of one process. No label is called `job` or `instance`: Prometheus has those of its own. */
export function createMetrics({ version, queues = [] }: MetricsOptions): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'signalbox_info',
    help: 'The running version.',
    labelNames: ['version'],
    aggregator: 'first',
    registers,
  }).set({ version }, 1)
  const requests = new Histogram({
    name: 'signalbox_http_request_duration_seconds',
    help: 'Time from the first byte of a request to its response.',
    labelNames: ['listener', 'method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const jobs = new Histogram({
    name: 'signalbox_job_duration_seconds',
    help: 'Duration of each attempt of a job, by queue and outcome.',
    labelNames: ['queue', 'outcome'],
    buckets: [0.01, 0.05, 0.25, 1, 5, 15, 60, 300],
    registers,
  })
  const counters = openCounters(registers)
  for (const queue of queues) counters.failedJobs.inc({ queue }, 0)
  const streams = new Gauge({
    name: 'signalbox_streams_open',
    help: 'Open event streams.',
    labelNames: ['audience'],
    registers,
  })
  let readOthers: (() => Promise<readonly (readonly MetricFigures[])[]>) | undefined
  return {
    contentType: registry.contentType,
    async render() {
      if (readOthers === undefined) return registry.metrics()
      return joinFigures([await registry.getMetricsAsJSON(), ...(await readOthers())])
    },
    listFigures: () => registry.getMetricsAsJSON(),
    joinProcesses(read) {
      readOthers = read
    },
    recordRequest: ({ listener, method, route, status, durationMs }) => {
      requests.observe({ listener, method, route, status }, durationMs / 1000)
    },
    recordRefusedConnection: (reason) => counters.refused.inc({ reason }),
    recordRateLimited: (rateClass) => counters.limited.inc({ class: rateClass }),
    recordJob: ({ durationMs, ...labels }) => jobs.observe(labels, durationMs / 1000),
    recordFailedJob: (queue) => counters.failedJobs.inc({ queue }),
    setOpenStreams: (audience, count) => streams.set({ audience }, count),
    recordCutStream: () => counters.cut.inc(),
    recordReplicaRefused: (reason, count = 1) => counters.replicaRefused.inc({ reason }, count),
    ...openAuditMetrics(registers),
    ...openWatches(registry),
  }
}

/** Opens the metrics that are read whenever they are rendered. */
function openWatches(
  registry: Registry,
): Pick<
  Metrics,
  'watchSchedules' | 'watchPublication' | 'watchDisk' | 'watchEpoch' | 'watchDelivery'
> {
  return {
    watchSchedules: (read) =>
      watchAge(registry, read, {
        name: 'signalbox_scheduled_jobs_age_seconds',
        help: 'Time since a scheduled job was added by any node, or since this process began to look. Some are added every minute.',
      }),
    watchPublication: (read) =>
      watchAge(registry, read, {
        name: 'signalbox_published_age_seconds',
        help: 'Time since NATS last had everything that this worker knows of, or since the worker began to publish.',
      }),
    watchDisk: (read) => watchDisk(registry, read),
    watchEpoch: (read) => watchEpoch(registry, read),
    watchDelivery: (read) => watchDelivery(registry, read),
  }
}

function watchAge(
  registry: Registry,
  read: () => number,
  named: { readonly name: string; readonly help: string },
): void {
  const age = new Gauge({
    ...named,
    aggregator: 'max',
    registers: [],
    collect() {
      this.set(read())
    },
  })
  registry.registerMetric(age)
}

function watchDisk(registry: Registry, read: () => Promise<number>): void {
  const free = new Gauge({
    name: 'signalbox_disk_free_ratio',
    help: 'Share of the disk of the data directory that is free, from 0 to 1.',
    aggregator: 'min',
    registers: [],
    async collect() {
      this.set(await read())
    },
  })
  registry.registerMetric(free)
}

function watchEpoch(registry: Registry, read: () => number | undefined): void {
  const epoch = new Gauge({
    name: 'signalbox_replica_epoch',
    help: 'Epoch of the database that this node signs for or believes; it grows when a backup is restored, and is 0 while unknown.',
    // The one of the process that is behind.
    aggregator: 'min',
    registers: [],
    collect() {
      this.set(read() ?? 0)
    },
  })
  registry.registerMetric(epoch)
}

function watchDelivery(registry: Registry, read: () => DeliveryFigures): void {
  const registers: Registry[] = []
  const snapshots = new Gauge({
    name: 'signalbox_snapshots',
    help: 'Snapshots for browsers in memory.',
    // Every process of a node holds the same ones.
    aggregator: 'max',
    registers,
    collect() {
      this.set(read().snapshots)
    },
  })
  const age = new Gauge({
    name: 'signalbox_snapshots_age_seconds',
    help: 'Time since the published snapshots were last known to match the database; -1 if unknown.',
    aggregator: 'max',
    registers,
    collect() {
      this.set(read().ageSeconds ?? -1)
    },
  })
  const disk = new Gauge({
    name: 'signalbox_disk_cache_ok',
    help: '1 while the node can write the disk cache that it starts from, else 0.',
    // The one of the process that fails.
    aggregator: 'min',
    registers,
    collect() {
      this.set(read().isOnDisk ? 1 : 0)
    },
  })
  const answers = new Counter({
    name: 'signalbox_delivery_answers_total',
    help: 'Responses of the delivery.',
    labelNames: ['route', 'status'],
    registers,
    collect() {
      this.reset()
      for (const { route, status, count } of read().answers) this.inc({ route, status }, count)
    },
  })
  for (const metric of [snapshots, age, disk]) registry.registerMetric(metric)
  registry.registerMetric(answers)
}

type AuditMetrics = Pick<Metrics, 'recordAuditSent' | 'recordAuditFailure' | 'setAuditOutlet'>

function openAuditMetrics(registers: Registry[]): AuditMetrics {
  const sent = new Counter({
    name: 'signalbox_audit_sent_total',
    help: 'Audit events that an outlet took.',
    labelNames: ['outlet'],
    registers,
  })
  const failures = new Counter({
    name: 'signalbox_audit_failures_total',
    help: 'Failed attempts to send audit events.',
    labelNames: ['outlet', 'reason'],
    registers,
  })
  const waiting = new Gauge({
    name: 'signalbox_audit_waiting',
    help: 'Audit events that have not left through an outlet.',
    labelNames: ['outlet'],
    registers,
  })
  const lag = new Gauge({
    name: 'signalbox_audit_lag_seconds',
    help: 'Age of the oldest audit event that has not left through an outlet.',
    labelNames: ['outlet'],
    registers,
  })
  return {
    recordAuditSent: (outlet, count) => sent.inc({ outlet }, count),
    recordAuditFailure: (outlet, reason) => failures.inc({ outlet, reason }),
    setAuditOutlet({ outlet, waiting: count, lagSeconds }) {
      waiting.set({ outlet }, count)
      lag.set({ outlet }, lagSeconds)
    },
  }
}

function openCounters(registers: Registry[]) {
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name: `signalbox_${name}_total`, help, labelNames, registers })
  return {
    failedJobs: counter('failed_jobs', 'Jobs that permanently failed.', ['queue']),
    refused: counter('connections_refused', 'Connections refused before their first request.', [
      'reason',
    ]),
    limited: counter('rate_limited', 'Requests refused by a rate limit.', ['class']),
    replicaRefused: counter(
      'replica_refused',
      'Marks, listings and records of the upstream that were not believed.',
      ['reason'],
    ),
    cut: counter('streams_cut', 'Streams closed because their reader was too slow.', []),
  }
}
