import { randomBytes } from 'node:crypto'
import { startSandbox, visit, type Sandbox } from '@signalbox/sandbox'
import { generateRootKey } from '../../crypto/root-key.ts'
import { createEgress, type Egress } from '../../egress/create-egress.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { admitRootKeys } from '../../vault/admit-root-keys.ts'
import { createOrganizationKeys } from '../../vault/organization-keys.ts'
import { createAccessGrants, type AccessGrantsDeps } from '../access-grants.ts'
import { authorizeIntegration } from '../authorize-integration.ts'
import { finishAuthorization, type FinishDeps } from '../finish-authorization.ts'
import { createIntegrationHealth } from '../health.ts'
import { callbackUrl } from '../integration-deps.ts'
import { createJiraConnector } from '../jira-connector.ts'
import { createOpenTracker, type OpenTracker } from '../open-tracker.ts'
import { requireReauth } from '../require-reauth.ts'
import { openMemorySpool } from './memory-spool.ts'

const publicUrl = () => 'http://127.0.0.1:4400'
const author = { type: 'user', id: 'usr_1', name: 'Ada' } as const
const request = { requestId: 'req_1', ip: '192.0.2.1', userAgent: undefined }

export interface TestJira {
  readonly test: TestStore
  readonly sandbox: Sandbox
  readonly deps: FinishDeps
  /** What was emitted, whether or not it was committed. */
  readonly emitted: string[]
  /** Has consent given for the tracker of an organization. */
  connect(orgId?: string): Promise<void>
  /** A node of its own, as far as the database and Jira can tell. */
  openNode(options?: {
    /** Called before each request to Jira is sent, with its address. */
    readonly onSend?: (url: string) => void | Promise<void>
  }): OpenTracker
  /** Back to the start: nothing is connected, and Jira is as it was. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** The pretended Jira, and the organizations `org_1` and `org_2` on a real database. */
export async function openJira(): Promise<TestJira> {
  const [test, sandbox] = await Promise.all([openTestStore(), startSandbox()])
  const egress = createEgress({ allow: ['127.0.0.1'] })
  const rootKey = generateRootKey()
  await admitRootKeys(test, [rootKey])
  const now = () => sandbox.clock.now()
  const { store } = test
  const keys = createOrganizationKeys({ store, rootKeys: () => [rootKey], now })
  await test.asOwner(`insert into users (id, email, name) values ('usr_1', 'ada@example.com', 'Ada');
    insert into organizations (id, slug, name) values ('org_1', 'acme', 'Acme'), ('org_2', 'other', 'Other')`)
  for (const orgId of ['org_1', 'org_2']) {
    await store.transaction({ orgId }, (tx) => keys.create(tx, orgId))
  }
  const emitted: string[] = []
  const { addresses, jira } = sandbox
  const connector = createJiraConnector({
    authUrl: addresses.jiraAuth,
    apiUrl: addresses.jiraApi,
    app: jira.app,
    egress,
    now,
  })
  const deps: FinishDeps = {
    store,
    keys,
    connectorOf: () => connector,
    stateKey: randomBytes(32),
    publicUrl,
    emit: async (_tx, event) => void emitted.push(event),
    now,
    isAdmin: async () => true,
  }
  const end: AccessGrantsDeps['requireReauth'] = (integration, of) =>
    requireReauth(deps, integration, of)
  return {
    test,
    sandbox,
    deps,
    emitted,
    async connect(orgId = 'org_1') {
      const caller = { orgId, scope: { orgId, userId: 'usr_1' }, author, request }
      const asked = { kind: 'tracker', userId: 'usr_1', returnTo: undefined } as const
      const { url, cookie } = await authorizeIntegration(deps, caller, asked)
      const back = await visit(url, 'allow', callbackUrl({ publicUrl }, 'tracker'))
      const { outcome } = await finishAuthorization(deps, {
        kind: 'tracker',
        code: back.get('code') ?? undefined,
        state: back.get('state') ?? undefined,
        error: undefined,
        installationId: undefined,
        setupAction: undefined,
        cookie,
        member: { userId: 'usr_1', author },
        request,
      })
      if (outcome !== 'connected') throw new Error(`Connecting ended with ${outcome}`)
    },
    openNode({ onSend } = {}) {
      const observed: Pick<Egress, 'fetch' | 'request'> = {
        fetch: egress.fetch,
        async request(url, options) {
          await onSend?.(url)
          return egress.request(url, options)
        },
      }
      const common = { store, keys, now, spool: openMemorySpool() }
      return createOpenTracker({
        store,
        grants: createAccessGrants({
          ...common,
          spool: openMemorySpool(),
          connectorOf: () => connector,
          requireReauth: end,
        }),
        gate: { addresses, egress: observed, now },
        health: createIntegrationHealth({ store, now, onError: () => {} }),
        requireReauth: end,
      })
    },
    async reset() {
      sandbox.reset()
      jira.app.redirectUris = [callbackUrl({ publicUrl }, 'tracker')]
      emitted.length = 0
      await test.asOwner('delete from integrations')
    },
    async close() {
      await Promise.all([sandbox.close(), egress.close()])
      await test.close()
    },
  }
}
