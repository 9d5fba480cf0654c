import { z } from 'zod/v4'
import { readingOutcomes, signalKinds } from '../../changes/proofs.ts'
import { admin, open, org, viewerOrKey } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import {
  author,
  comment,
  confirm,
  credential,
  givenDisplayName,
  id,
  page,
  pageQuery,
  time,
} from '../shapes.ts'

const url = z
  .string()
  .max(2000)
  .regex(
    /^https?:\/\/[^\s/?#@\\]+(?:[/?][^\s#]*)?$/,
    'Use an address such as https://prometheus.example.com, without a user name and fragment.',
  )

/** Describes the value of the `Authorization` header that the address needs, such as `Bearer …`. It is never shown. */
const authorization = z
  .string()
  .max(4000)
  .regex(/^[\x20-\x7E]+$/, 'Use printable ASCII characters.')
  .nullish()

/** Describes a test workflow that each change starts. Bad: the run fails. */
const testsSpec = z.strictObject({
  kind: z.literal('tests'),
  /** Names a repository of the integration. Example: `acme/shop`. */
  repository: z.string().min(1).max(200),
  /** Holds the file name or the id of the workflow. Example: `e2e.yml`. */
  workflow: z.string().min(1).max(200),
  /** Says how long a run may take before it counts as no data. */
  deadlineMinutes: z.number().int().min(1).max(360).default(30),
})

/** Describes alerts that another service sends to the address of the signal. Bad: one is firing. */
const alertSpec = z.strictObject({
  kind: z.literal('alert'),
  /** Says that Sentry sends them, signed with the client secret of its integration. */
  format: z.literal('sentry').optional(),
})

/** Describes a query of Prometheus. Bad: its value is beyond the limit. */
const prometheusSpec = z.strictObject({
  kind: z.literal('prometheus'),
  /** Holds the address of the server, without `/api/v1/query`. */
  url,
  /** Takes `{environment}`, `{schema}`, `{version}` and `{flag}` in the values of labels. */
  query: z.string().min(1).max(4000),
  above: z.number().optional(),
  below: z.number().optional(),
  /** Compares with so many times the value from before the change. */
  timesBefore: z.number().positive().max(1000).optional(),
})

/** Describes a page whose answer tells. Bad: it is another one than expected. */
const httpSpec = z.strictObject({
  kind: z.literal('http'),
  url,
  expect: z.union([
    z.literal('2xx'),
    z.strictObject({
      /** Leads to a member of the JSON answer. Example: `/errors/rate`. */
      pointer: z
        .string()
        .max(500)
        .regex(/^(?:\/(?:[^~/]|~[01])*)*$/, 'Use a JSON pointer, such as /status.'),
      above: z.number().optional(),
      below: z.number().optional(),
      equals: z.union([z.string().max(500), z.number(), z.boolean()]).optional(),
    }),
  ]),
})

const anySpec = z.discriminatedUnion('kind', [testsSpec, alertSpec, prometheusSpec, httpSpec])
export type SignalSpec = z.output<typeof anySpec>
export const signalSpec: z.ZodType<SignalSpec, z.input<typeof anySpec>> = anySpec

/** Describes what a signal said at one moment. */
export const signalReading = z.object({
  at: time,
  verdict: z.enum(readingOutcomes),
  /** Holds the number that was read, where there is one. */
  value: z.number().nullable(),
  /** Explains it in one sentence, such as why there was no data. */
  detail: z.string().nullable(),
})
export type SignalReading = z.output<typeof signalReading>

/** Describes a source of good or bad news about changes. */
export const signal = z
  .object({
    id: id('sig'),
    name: z.string(),
    kind: z.enum(signalKinds),
    /** Says where it reads, and what is bad. Null for those who are no admin. */
    spec: signalSpec.nullable(),
    /** Says whether an `Authorization` header, or Sentry's client secret, is stored. It is never shown. */
    hasCredential: z.boolean(),
    /** Holds the address to which alerts are sent. Null: nothing is sent to it. */
    address: z.string().nullable(),
    /** Holds what it said last. Null: nothing yet. */
    last: signalReading.nullable(),
    /** Lists the environments whose policy names it. */
    usedBy: z.array(z.object({ environmentId: id('env'), environment: z.string() })),
    /** Counts the changes; `If-Match` compares with it. */
    revision: z.number().int(),
    createdAt: time,
    updatedAt: time,
    /** Names who created it. */
    createdBy: author,
    /** Says what they were signed in with. Null: the service itself. */
    createdWith: credential.nullable(),
  })
  .meta({ id: 'Signal' })
export interface Signal extends z.output<typeof signal> {}

/** Describes a signal with the secret of its address, which is shown once. */
export const signalWithSecret = signal
  .extend({
    /** Goes into `Authorization: Bearer …`, or is the password of Basic. Null: it has none, or keeps the one it has. */
    secret: z.string().nullable(),
  })
  .meta({ id: 'SignalWithSecret' })

const fields = {
  name: givenDisplayName,
  spec: signalSpec,
  authorization,
  /** Holds the client secret of Sentry's integration. */
  clientSecret: z.string().min(8).max(500).nullish(),
}

const signals = `${org}/signals` as const
const one = `${signals}/{signal_id}` as const

export const signalEndpoints = declareEndpoints({ tag: 'Signals', topics: ['signal'] })({
  createSignal: {
    method: 'POST',
    path: signals,
    summary: 'Create a signal. The response shows the secret of its address once.',
    access: admin,
    opens: 'door',
    body: z.strictObject(fields),
    response: { status: 201, body: signalWithSecret },
    problems: ['already_exists', 'quota_exceeded'],
  },
  listSignals: {
    method: 'GET',
    path: signals,
    summary: 'The signals, by name.',
    access: viewerOrKey,
    agents: 'read',
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(signal) },
    topics: ['signal', 'environment'],
    problems: ['invalid_cursor'],
  },
  getSignal: {
    method: 'GET',
    path: one,
    summary: 'One signal, by id.',
    access: viewerOrKey,
    agents: 'read',
    response: { status: 200, body: signal },
    topics: ['signal', 'environment'],
  },
  updateSignal: {
    method: 'PATCH',
    path: one,
    summary: 'Change a signal.',
    description:
      'Another `spec` of a signal that the policy of an environment names needs the approvals of that environment. `newSecret: true` gives the address another secret. An address on another server needs `authorization` again, or `null`, where there is one.',
    access: admin,
    opens: 'door',
    body: z.strictObject({ ...fields, newSecret: z.boolean(), comment, confirm }).partial(),
    response: { status: 200, body: signalWithSecret },
    topics: ['signal'],
    problems: [
      'already_exists',
      'revision_mismatch',
      'confirmation_required',
      'comment_required',
      'approval_required',
    ],
  },
  deleteSignal: {
    method: 'DELETE',
    path: one,
    summary: 'Delete a signal that no policy names.',
    access: admin,
    response: { status: 204 },
    problems: ['signal_in_use', 'revision_mismatch'],
  },
  testSignal: {
    method: 'POST',
    path: `${one}/test`,
    summary: 'Read a signal now, and say what it says. Nothing is judged by it.',
    access: admin,
    body: z.strictObject({
      /** Fills the placeholders of a query. */
      environmentId: id('env').optional(),
      schemaId: id('sch').optional(),
    }),
    response: { status: 200, body: signalReading },
    topics: ['signal'],
  },
  receiveAlert: {
    method: 'POST',
    path: '/signals/{signal_id}',
    summary: 'Receive alerts: of Alertmanager, Grafana or Sentry, or {"status": "firing"}.',
    description:
      'The secret of the signal is the token of `Authorization: Bearer`, or the password of Basic. Sentry signs with its client secret instead.',
    access: open,
    bodyLimitBytes: 1024 * 1024,
    response: { status: 202 },
    topics: ['signal'],
    problems: [
      'missing_credentials',
      'invalid_credentials',
      'invalid_json',
      'validation_failed',
      'body_too_large',
    ],
  },
})
