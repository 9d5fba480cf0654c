import { z } from 'zod/v4'
import { open, operator } from './access.ts'
import { declareEndpoints } from './endpoint.ts'
import { time } from './shapes.ts'

const count = z.number().int()

const check = z.object({
  ok: z.boolean(),
  detail: z.string(),
  /** Tells that the part works, and that something about it needs the operator. Left out when it does not. */
  warning: z.boolean().optional(),
})

/** Describes a node that serves configuration and that no other part of the status counts, as it reported itself. */
export const deliveryNode = z
  .object({
    /** Holds the machine and the port. */
    name: z.string(),
    version: z.string(),
    /** Names what brings the node its snapshots. */
    carrier: z.enum(['database', 'relay', 'nats']),
    /** Names the host that feeds it; `null` where that is the database. */
    fedBy: z.string().nullable(),
    /** Holds the slug of the organization whose relay key it has; `null`: none, or one that is gone. */
    organization: z.string().nullable(),
    snapshots: count,
    /** `silent`: no report for over three minutes. `behind`: it serves what is over two minutes old, or says why it may. */
    state: z.enum(['silent', 'behind', 'ok']),
    /** Holds the moment of the state that it served at its last report; `null`: unknown. */
    asOf: time.nullable(),
    /** Says in one sentence why it may be behind. */
    fault: z.string().nullable(),
    reportedAt: time,
  })
  .meta({ id: 'DeliveryNode' })

/** Describes the state of the server's parts. */
export const serverStatus = z
  .object({
    version: z.string(),
    startedAt: time,
    storage: z.object({
      engine: z.enum(['embedded', 'postgres']),
      version: z.string(),
      /** Holds the day on which the packaged PostgreSQL was released. `null`: it runs another one. */
      releasedOn: z.iso.date().nullable(),
      sizeBytes: z.number(),
      /** Says whether a commit waits for a standby. `null`: the embedded database, which has none. */
      waitsForStandby: z.boolean().nullable(),
    }),
    /** Holds the values of the process that responds. */
    roles: z.array(z.enum(['api', 'worker', 'delivery', 'relay'])),
    /** Counts the processes of this service that are connected to the database. */
    nodes: count,
    /** Lists the nodes that only serve configuration and have reported in the last day, those with a fault first; at most 200. */
    deliveryNodes: z.array(deliveryNode),
    queues: z.object({
      waiting: count,
      running: count,
      oldestWaitingSeconds: count.nullable(),
    }),
    failedJobs: count,
    /** Holds the time of the newest export that this server knows of. `null`: none. */
    lastBackupAt: time.nullable(),
    checks: z.record(z.string(), check),
  })
  .meta({ id: 'ServerStatus' })

const common = {
  access: open,
  tag: 'Operation',
  rateClass: 'open',
  method: 'GET',
  // No screen shows these: probes, files and pages of their own.
  topics: [],
} as const

/** Declares the endpoints of operating the server. */
export const operationEndpoints = declareEndpoints({})({
  readHealth: {
    ...common,
    rateClass: 'none',
    path: '/healthz',
    summary: 'Check that the process runs.',
    response: { status: 200, body: z.object({ status: z.literal('ok'), version: z.string() }) },
  },
  readReadiness: {
    ...common,
    rateClass: 'probe',
    path: '/readyz',
    summary:
      'Check that the storage, its migrations and the queue are ready; 503 with the reasons if not.',
    response: {
      status: 200,
      body: z.object({
        status: z.enum(['ready', 'not_ready']),
        checks: z.record(z.string(), check),
      }),
    },
  },
  readMetrics: {
    ...common,
    rateClass: 'probe',
    path: '/metrics',
    summary: 'Metrics in Prometheus text format.',
    response: { status: 200, contentType: 'text/plain' },
  },
  readOpenApi: {
    ...common,
    path: '/openapi.json',
    summary: 'This API as an OpenAPI 3.1 document.',
    response: { status: 200, body: z.unknown() },
  },
  readDocs: {
    ...common,
    path: '/docs',
    summary: 'This API as a page.',
    response: { status: 200, contentType: 'text/html' },
  },
  readProblems: {
    ...common,
    path: '/docs/problems',
    summary: 'The page of problem codes, with their meaning and remedy.',
    response: { status: 200, contentType: 'text/html' },
  },
  readGuide: {
    ...common,
    path: '/docs/guide',
    summary: 'The index of the documentation, as a page.',
    response: { status: 200, contentType: 'text/html' },
  },
  readGuidePage: {
    ...common,
    path: '/docs/guide/{name}',
    summary: 'A guide page; append `.md` for Markdown.',
    response: { status: 200, contentType: 'text/html' },
  },
  readReferencePage: {
    ...common,
    path: '/docs/reference/{name}',
    summary:
      'A page of the reference: settings, vocabulary, measurements, growth. Append `.md` for Markdown.',
    response: { status: 200, contentType: 'text/html' },
  },
  readLlms: {
    ...common,
    path: '/llms.txt',
    summary: 'The index of the documentation for language models (https://llmstxt.org).',
    response: { status: 200, contentType: 'text/plain' },
  },
  readEveryPage: {
    ...common,
    path: '/llms-full.txt',
    summary: 'The whole documentation as one Markdown document.',
    response: { status: 200, contentType: 'text/plain' },
  },
  readSkill: {
    ...common,
    path: '/skill.md',
    summary: 'How an assistant works with this service, as a skill file.',
    response: { status: 200, contentType: 'text/markdown' },
  },
  readFileSchema: {
    ...common,
    path: '/signalbox.schema.json',
    summary: 'The JSON Schema of the file that `signalbox apply` takes, for editors.',
    response: { status: 200, contentType: 'application/schema+json' },
  },
  getServerStatus: {
    method: 'GET',
    path: '/server/status',
    tag: 'Server',
    summary: 'The status of the server: version, storage, queues, nodes.',
    access: operator,
    response: { status: 200, body: serverStatus },
    topics: ['server'],
  },
})
