import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { OutgoingFormat } from '@signalbox/contract/rest'
import type { WebhookSecrets } from './webhook.ts'

export interface RenderedMessage {
  readonly id: string
  readonly type: string
  readonly data: unknown
  readonly createdAt: Date
}

/** Describes how it is sent. */
export interface RenderOptions {
  readonly format: OutgoingFormat
  readonly secrets: WebhookSecrets
  /** Says whether the previous secret signs too. */
  readonly isOverlapping: boolean
  readonly now: Date
}

/**
 * Renders the request of a message. The body is the same for each attempt; the time stamp and the signature are those of
 * the attempt.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function renderRequest(
  message: RenderedMessage,
  { format, secrets, isOverlapping, now }: RenderOptions,
): { readonly headers: Record<string, string>; readonly body: string } {
  const body = JSON.stringify(
    format === 'grafana' ? renderAnnotation(message) : renderGeneric(message),
  )
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signing = [
    secrets.secret,
    ...(isOverlapping && secrets.previous !== null ? [secrets.previous] : []),
  ]
  const signed = `${message.id}.${timestamp}.${body}`
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Signalbox',
      'webhook-id': message.id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signing.map((secret) => `v1,${signText(secret, signed)}`).join(' '),
      ...(secrets.authorization !== null && { authorization: secrets.authorization }),
    },
  }
}

function signText(secret: string, text: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return createHmac('sha256', key).update(text).digest('base64')
}

function renderGeneric({ type, createdAt, data }: RenderedMessage): object {
  return { type, timestamp: createdAt.toISOString(), data }
}

const annotated = z.object({
  environment: z.string().nullish(),
  hostEnvironment: z.string().nullish(),
  schema: z.string().nullish(),
  repository: z.string().nullish(),
  version: z.number().nullish(),
  state: z.string().nullish(),
  name: z.string().nullish(),
  provider: z.string().nullish(),
  sha: z.string().nullish(),
  waitedFor: z.string().nullish(),
  keys: z.array(z.string()).nullish(),
  key: z.string().nullish(),
  dueAt: z.string().nullish(),
  author: z.object({ name: z.string().nullish() }).nullish(),
  number: z.number().nullish(),
  title: z.string().nullish(),
  environments: z.array(z.string()).nullish(),
  by: z.object({ name: z.string().nullish() }).nullish(),
  reason: z.object({ detail: z.string() }).nullish(),
  restored: z.array(z.object({ environment: z.string().nullish(), version: z.number() })).nullish(),
  notRestored: z.object({ detail: z.string() }).nullish(),
})

/** Renders the body of Grafana's `POST /api/annotations`. */
function renderAnnotation({ type, createdAt, data }: RenderedMessage): object {
  const { data: known = {} } = annotated.safeParse(data)
  const environment = known.environment ?? known.hostEnvironment
  const subject = known.schema ?? known.repository ?? known.provider
  const tags = ['signalbox', type, environment, ...(known.environments ?? []), subject].filter(
    (tag) => typeof tag === 'string',
  )
  return { time: createdAt.getTime(), tags, text: describe(type, known) }
}

type Annotated = Partial<z.output<typeof annotated>>

const sentences: Readonly<Record<string, (of: Annotated, environment: string) => string>> = {
  'config.changed': describeVersion,
  'flag.changed': describeVersion,
  'deployment.finished': ({ repository, sha, state }, environment) =>
    `Deployment of ${repository} ${sha?.slice(0, 7)} to ${environment}: ${state}`,
  'deployment.waiting': (of, environment) =>
    `${nameDeployment(of, environment)} waits for ${of.waitedFor}`,
  'deployment.passed': (of, environment) =>
    of.by?.name
      ? `${of.by.name} let ${nameDeployment(of, environment)} go on`
      : `${nameDeployment(of, environment)} goes on`,
  'deployment.refused': (of, environment) =>
    `${nameDeployment(of, environment)} was refused${of.by?.name ? ` by ${of.by.name}` : ''}`,
  'tests.finished': ({ name, state }, environment) => `Tests ${name} in ${environment}: ${state}`,
  'integration.attention': ({ provider, state }) =>
    `The connection to ${provider} needs attention: ${state}`,
  'secret.due': ({ key, schema, dueAt }, environment) =>
    `The secret ${key} of ${schema} in ${environment} is due on ${dueAt?.slice(0, 10)}`,
  'change.requested': (of) => describeRequest(of, of.author?.name, 'asked for'),
  'change.approved': (of) => describeRequest(of, of.by?.name, 'approved'),
  'change.declined': (of) => describeRequest(of, of.by?.name, 'declined'),
  'change.applied': (of) => describeRequest(of, undefined, 'was applied'),
  'change.overridden': (of) => describeRequest(of, of.by?.name, 'overrode the approvals of'),
  'change.failed': (of) => describeRequest(of, undefined, 'failed'),
  'change.proven': (of, environment) => describeProof(of, environment, 'is proven'),
  'change.restored': (of, environment) => describeProof(of, environment, describeRestored(of)),
  'change.inconclusive': (of, environment) => describeProof(of, environment, 'is not proven'),
  'change.proof_failed': (of, environment) =>
    describeProof(of, environment, 'has failed and was not taken back'),
}

function nameDeployment({ repository, sha }: Annotated, environment: string): string {
  return `The deployment of ${repository} ${sha?.slice(0, 7)} to ${environment}`
}

/** Describes how a proof ended. Example: `shop v13 in production was taken back by v14: api-errors was 4.2, above 2`. */
function describeProof(
  { schema, version, reason, notRestored }: Annotated,
  environment: string,
  end: string,
): string {
  const why = [reason?.detail, notRestored?.detail].filter((detail) => detail !== undefined)
  return [`${schema} v${version} in ${environment} ${end}`, ...why].join(': ')
}

function describeRestored({ environment, restored }: Annotated): string {
  const by = (restored ?? []).map((each) =>
    each.environment === environment
      ? `v${each.version}`
      : `v${each.version} in ${each.environment}`,
  )
  return `was taken back by ${by.join(', ')}`
}

/** Describes what happened to a request. Example: `Ben approved request 12 in production: Raise the limit`. */
function describeRequest(
  { number, title, environments }: Annotated,
  who: string | null | undefined,
  did: string,
): string {
  const where = `${number} in ${(environments ?? []).join(', ') || 'no environment'}`
  const subject = who === undefined ? `Request ${where} ${did}` : `${who} ${did} request ${where}`
  return `${subject}: ${title}`
}

function describe(type: string, known: Annotated): string {
  const environment = known.environment ?? known.hostEnvironment ?? 'no environment'
  return sentences[type]?.(known, environment) ?? 'A test of Signalbox'
}

function describeVersion(
  { author, schema, version, keys }: Annotated,
  environment: string,
): string {
  const names = (keys ?? []).slice(0, 20).join(', ')
  return `${author?.name ?? 'Somebody'} changed ${schema} in ${environment} (v${version}): ${names}`
}
