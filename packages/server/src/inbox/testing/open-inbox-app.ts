import { createHmac } from 'node:crypto'
import { newId } from '../../crypto/ids.ts'
import type { Actor } from '../../http/admission/actor.ts'
import { createTestRouter } from '../../http/testing/test-router.ts'
import { createJobs } from '../../jobs/create-jobs.ts'
import { findWebhookProvider, type WebhookProvider } from '../../providers/find-provider.ts'
import { openTestStore } from '../../store/testing/test-database.ts'
import { silentLog } from '../../telemetry/log.ts'
import type { AcceptDeps } from '../accept-webhook.ts'
import type { ProcessDeps } from '../process-webhook.ts'
import { inboxQueue } from '../queue.ts'
import { mountInbox } from '../routes.ts'
import { createDeliveryStore } from '../store-deliveries.ts'
import { toTestApp } from '../../http/testing/test-app.ts'

export const secret = 'the secret of the application'

export interface Sent {
  readonly event?: string
  readonly deliveryId?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns a provider that sends webhooks, by its name. */
export function webhookProvider(name: string): WebhookProvider {
  const found = findWebhookProvider(name)
  if (found === undefined) throw new Error(`${name} sends no webhooks`)
  return found
}

/** The headers of a genuine webhook of GitHub. */
export function signWebhook(body: string | Buffer, sent: Sent = {}): Record<string, string> {
  const { event = 'push', deliveryId = crypto.randomUUID(), headers = {} } = sent
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'x-github-event': event,
    'x-github-delivery': deliveryId,
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    ...headers,
  }
}

const key = (orgId: string): Actor => ({
  type: 'api_key',
  orgId,
  keyId: newId('key', new Date()),
  kind: 'm2m',
  access: 'write',
  name: 'ci',
  environmentIds: null,
  schemaIds: null,
  credentialId: 'key_1',
})

/** The intake in process, on a real database, with two organizations. Nobody works on what is stored. */
export async function openInboxApp(options: Partial<AcceptDeps> = {}) {
  const test = await openTestStore()
  const { store } = test
  const queues = [inboxQueue]
  const jobs = await createJobs({ target: store.target, queues, log: silentLog, worker: false })
  const now = () => new Date()
  const [orgId, otherOrgId] = [newId('org', now()), newId('org', now())]
  for (const id of [orgId, otherOrgId]) {
    await test.asOwner('insert into organizations (id, slug, name) values ($1, lower($1), $1)', [
      id,
    ])
  }
  const deliveries = createDeliveryStore({ store, jobs })
  const router = createTestRouter({
    authenticate: ({ authorization }) =>
      Promise.resolve(authorization === undefined ? undefined : key(authorization.slice(7))),
    resolveOrganization: (actor, ref) =>
      Promise.resolve(
        actor.type === 'api_key' && actor.orgId === ref
          ? { organization: { id: ref, slug: ref.toLowerCase(), name: 'Acme' }, role: undefined }
          : undefined,
      ),
  })
  const deps = {
    store,
    jobs,
    deliveries,
    secretsOf: () => [secret],
    findConnection: () => Promise.resolve(undefined),
    now,
    ...options,
  }
  mountInbox(router, deps)
  const app = toTestApp(router.build())
  const processDeps: ProcessDeps = {
    store,
    findIntegration: () => Promise.resolve({ orgId, integrationId: 'int_1' }),
    codehost: () => Promise.resolve({ outcome: 'done' }),
    chat: () => Promise.resolve({ outcome: 'done' }),
    tracker: () => Promise.resolve({ outcome: 'done' }),
    log: silentLog,
    now,
  }
  return {
    test,
    store,
    jobs,
    app,
    deps,
    processDeps,
    orgId,
    otherOrgId,
    /** Sends a webhook of GitHub that is genuine, unless its headers are changed. */
    send: async (body: string | Buffer, sent: Sent = {}) => {
      const headers = signWebhook(body, sent)
      const answer = await app.request('/webhooks/codehost', {
        method: 'POST',
        headers,
        body: Buffer.from(body),
      })
      return { status: answer.status, text: await answer.text() }
    },
    /** Asks as the key of an organization. */
    ask: async (request: string, as = orgId, given?: object) => {
      const [method = 'GET', path = '/'] = request.split(' ')
      const headers = { authorization: `Bearer ${as}`, 'content-type': 'application/json' }
      const answer = await app.request(`/organizations/${as}${path}`, {
        method,
        ...(given === undefined
          ? { headers: { authorization: headers.authorization } }
          : { headers, body: JSON.stringify(given) }),
      })
      // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
      const body: any = await answer.json()
      return { status: answer.status, body }
    },
    listRows: () =>
      test.asOwner<{
        id: string
        delivery_id: string
        event: string
        state: string
        reason: string | null
        duplicates: number
        attempts: number
        origin: string
      }>('select * from received_webhooks order by received_at, id'),
    listJobs: () =>
      test.asOwner<{ data: { id: string }; singleton_key: string }>(
        `select data, singleton_key from pgboss.job where name = 'inbox.process' order by created_on, id`,
      ),
    clear: () =>
      test.asOwner(
        `delete from received_webhooks; delete from received_webhook_ids; delete from pgboss.job`,
      ),
    close: async () => {
      await jobs.close(1_000)
      await test.close()
    },
  }
}

export type InboxApp = Awaited<ReturnType<typeof openInboxApp>>
