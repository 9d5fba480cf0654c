import { randomBytes } from 'node:crypto'
import { startSandbox, visit, type Sandbox } from '@signalbox/sandbox'
import { generateRootKey } from '../../crypto/root-key.ts'
import { createEgress, type Egress } from '../../egress/create-egress.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { verifyRootKeys } from '../../vault/verify-root-keys.ts'
import { createOrganizationKeys } from '../../vault/organization-keys.ts'
import { createAccessGrants, type AccessGrantsDeps } from '../grants/access-grants.ts'
import { authorizeIntegration } from '../connect/authorize-integration.ts'
import { finishAuthorization, type FinishDeps } from '../connect/finish-authorization.ts'
import { createIntegrationHealth } from '../health/health.ts'
import { callbackUrl } from '../integration-deps.ts'
import { createConnectors } from '../connect/connectors.ts'
import { sandboxContexts } from './sandbox-contexts.ts'
import { createOpenTracker, type OpenTracker } from '../grants/open-provider.ts'
import { requireReauth } from '../grants/require-reauth.ts'
import { openMemoryGrantLog } from './memory-grant-log.ts'

const publicUrl = () => 'http://127.0.0.1:4400'
const author = { type: 'user', id: 'usr_1', name: 'Ada' } as const
const request = { requestId: 'req_1', ip: '192.0.2.1', userAgent: undefined }

export interface TestJira {
  readonly test: TestStore
  readonly sandbox: Sandbox
  readonly deps: FinishDeps
  /** Holds every event that was emitted, committed or not. */
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
  await verifyRootKeys(test, [rootKey])
  const now = () => sandbox.clock.now()
  const { store } = test
  const keys = createOrganizationKeys({ store, rootKeys: () => [rootKey], now })
  await test.asOwner(`insert into users (id, email, name) values ('usr_1', 'ada@example.com', 'Ada');
    insert into organizations (id, slug, name) values ('org_1', 'acme', 'Acme'), ('org_2', 'other', 'Other');
    insert into nodes (id) values ('node')`)
  for (const orgId of ['org_1', 'org_2']) {
    await store.transaction({ orgId }, (tx) => keys.create(tx, orgId))
  }
  const emitted: string[] = []
  const { jira } = sandbox
  const connectorOf = createConnectors(sandboxContexts(sandbox, { egress, now }))
  const deps: FinishDeps = {
    store,
    keys,
    connectorOf,
    stateKey: randomBytes(32),
    publicUrl,
    emit: async (_tx, event) => void emitted.push(event),
    now,
    holdAdmin: async () => undefined,
  }
  const end: AccessGrantsDeps['requireReauth'] = (integration, of) =>
    requireReauth(deps, integration, of)
  return {
    test,
    sandbox,
    deps,
    emitted,
    async connect(orgId = 'org_1') {
      const caller = {
        orgId,
        organizationName: 'Acme',
        scope: { orgId, userId: 'usr_1' },
        author,
        request,
      }
      const asked = {
        kind: 'tracker',
        provider: 'jira',
        userId: 'usr_1',
        returnTo: undefined,
      } as const
      const { url, cookie } = await authorizeIntegration(deps, caller, asked)
      const back = await visit(url, 'allow', callbackUrl({ publicUrl }, 'tracker'))
      const { outcome } = await finishAuthorization(deps, {
        kind: 'tracker',
        query: Object.fromEntries(back),
        cookie,
        member: { userId: 'usr_1', sessionId: 'session_1', author },
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
      const common = { store, keys, now }
      return createOpenTracker({
        store,
        grants: createAccessGrants({
          ...common,
          grantLog: openMemoryGrantLog(),
          nodeId: 'node',
          enqueueRenewal: async () => {},
          connectorOf,
          requireReauth: end,
        }),
        contextOf: sandboxContexts(sandbox, { egress: observed, now }),
        connectorOf,
        emit: deps.emit,
        now,
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
