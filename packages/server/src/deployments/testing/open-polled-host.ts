import { newId } from '../../crypto/ids.ts'
import { generateRootKey } from '../../crypto/root-key.ts'
import type { NewJob } from '../../jobs/jobs.ts'
import type { CodehostApi } from '../../providers/codehost.ts'
import { createGitlabConnector } from '../../providers/gitlab/connector.ts'
import type { Connector } from '../../providers/connector.ts'
import { openGitlab, type OpenGitlab } from '../../providers/gitlab/testing/open-gitlab.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { verifyRootKeys } from '../../vault/verify-root-keys.ts'
import { createOrganizationKeys } from '../../vault/organization-keys.ts'
import type { RunSyncDeps } from '../sync/sync-work.ts'
import { beginSync } from '../sync/start-sync.ts'
import { runSync } from '../sync/run-sync.ts'

/** A job that was added, with its queue. */
export interface AddedJob extends NewJob {
  readonly queue: string
  readonly startAfter?: Date | undefined
}

/** An organization that has connected the GitLab of a sandbox, on a real database. */
export interface PolledHost extends OpenGitlab {
  readonly test: TestStore
  readonly orgId: string
  readonly id: string
  readonly deps: RunSyncDeps
  readonly connector: Connector
  /** Returns what a node works with. Nodes share the database and the host. */
  openNode(nodeId: string, api?: () => CodehostApi): RunSyncDeps
  /** The jobs that were added since the last reset. */
  readonly jobs: AddedJob[]
  /** The events that were emitted since the last reset. */
  readonly events: string[]
  shop: ReturnType<OpenGitlab['addShop']>
  /** Runs a whole sync, and returns it as it is stored. */
  sync(depth?: 'full' | 'newest'): Promise<Record<string, unknown>>
  /** Returns the integration as it is stored. */
  readState(): Promise<{ state: string; reason: string | null }>
  readDeployments(): Promise<{ external: string; state: string }[]>
  reset(): Promise<void>
}

const publicUrl = 'http://127.0.0.1:9'

/** Opens all of it. No server takes the webhooks: what they report is lost. */
export async function openPolledHost(): Promise<PolledHost> {
  const [test, gitlab] = await Promise.all([openTestStore(), openGitlab()])
  const now = () => gitlab.sandbox.clock.now()
  const rootKey = generateRootKey()
  await verifyRootKeys(test, [rootKey])
  const keys = createOrganizationKeys({ store: test.store, rootKeys: () => [rootKey], now })
  const jobs: AddedJob[] = []
  const events: string[] = []
  const orgId = newId('org', new Date())
  const id = newId('int', new Date())
  await test.asOwner(`insert into organizations (id, slug, name) values ($1, 'acme', 'Acme')`, [
    orgId,
  ])
  await test.store.transaction({ orgId }, (tx) => keys.create(tx, orgId))
  await test.asOwner(`insert into nodes (id) values ('one'), ('two')`)
  const { clientId, clientSecret } = gitlab.gitlab.app
  const connector = createGitlabConnector({
    provider: 'gitlab',
    webUrl: gitlab.webUrl,
    app: { clientId, clientSecret },
    egress: gitlab.egress,
    now,
  })
  const openNode: PolledHost['openNode'] = (nodeId, api = () => gitlab.apiWith(['api'])) => ({
    store: test.store,
    keys,
    jobs: {
      nodeId,
      enqueue(_tx, queue, data, options = {}) {
        jobs.push({ queue, data, ...options })
        return Promise.resolve()
      },
      enqueueAll(_tx, queue, added) {
        jobs.push(...added.map((job) => ({ queue, ...job })))
        return Promise.resolve()
      },
    },
    emit(_tx, event) {
      events.push(event)
      return Promise.resolve()
    },
    moveTestRuns: () => Promise.resolve(),
    openCodehost: () => Promise.resolve(api()),
    openTracker: () => Promise.reject(new Error('No tracker is asked here')),
    connectorOf: () => connector,
    publicUrl: () => publicUrl,
    now,
  })
  const deps = openNode('one')
  const host: PolledHost = {
    ...gitlab,
    test,
    orgId,
    id,
    deps,
    connector,
    openNode,
    jobs,
    events,
    shop: gitlab.addShop(),
    async sync(depth = 'full') {
      const { id: syncId } = await test.store.transaction({ orgId }, (tx) =>
        beginSync(deps, tx, orgId, depth),
      )
      const { signal } = new AbortController()
      await runSync(deps, { orgId, id: syncId, signal, isLastTry: true })
      const [row] = await test.asOwner('select * from syncs where id = $1', [syncId])
      return row ?? {}
    },
    async readState() {
      const [row] = await test.asOwner<{ state: string; reason: string | null }>(
        'select state, state_reason as reason from integrations where id = $1',
        [id],
      )
      if (row === undefined) throw new Error('The integration is gone')
      return row
    },
    readDeployments: () =>
      test.asOwner('select external_id as external, state from deployments order by external_id'),
    async reset() {
      gitlab.sandbox.reset()
      host.shop = gitlab.addShop()
      jobs.length = 0
      events.length = 0
      gitlab.sent.length = 0
      await test.asOwner('delete from syncs')
      await test.asOwner('delete from repositories')
      await test.asOwner('delete from integrations')
      await test.asOwner(
        `insert into integrations (org_id, id, kind, provider, state, account_id, account, scopes, connected_at)
         values ($1, $2, 'codehost', 'gitlab', 'connected', 'ada', '{"id":"ada","name":"ada","url":null}',
           '{api,read_api}', $3)`,
        [orgId, id, new Date(now().getTime() - 3_600_000)],
      )
    },
    async close() {
      await gitlab.close()
      await test.close()
    },
  }
  await host.reset()
  return host
}
