import { startSandbox, type Sandbox } from '@signalbox/sandbox'
import type { IntegrationKind } from '@signalbox/contract/rest'
import { createEgress, type Egress } from '../../egress/create-egress.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { createConnectors } from '../connect/connectors.ts'
import { createIntegrationHealth } from '../health/health.ts'
import type { OpenProviderDeps } from '../grants/open-provider.ts'
import { sandboxContexts } from './sandbox-contexts.ts'

/** Ends a call that a test keeps from ending. */
const endlessMs = 2_000

export interface Installed {
  readonly test: TestStore
  readonly sandbox: Sandbox
  readonly deps: OpenProviderDeps
  readonly orgId: string
  readonly integrationId: string
  readonly accountId: string
  /** The repository `acme/shop`. */
  readonly repository: ReturnType<Sandbox['github']['activity']['addRepository']>
  /** Holds the ends of paths whose calls a test keeps from ending. All others have the time of the product. */
  readonly endless: Set<string>
  /** Emitted since the last reset. */
  readonly events: string[]
  /** The integration of a kind as it is stored, with the audit events since the last reset. Default: the code host's. */
  read(kind?: IntegrationKind): Promise<Record<string, unknown>>
  /** As right after the App was installed and connected. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** An organization that has connected GitHub, a sandbox of it, on a real database. */
export async function openInstalled(orgId = 'org_1'): Promise<Installed> {
  const [test, sandbox] = await Promise.all([openTestStore(), startSandbox()])
  const egress = createEgress({ allow: ['127.0.0.1'] })
  await test.asOwner(`insert into organizations (id, slug, name) values ($1, 'acme', 'Acme')`, [
    orgId,
  ])
  const now = () => sandbox.clock.now()
  const endless = new Set<string>()
  const reached: Pick<Egress, 'fetch' | 'request'> = {
    fetch: egress.fetch,
    request(url, options) {
      const isEndless = [...endless].some((path) => url.endsWith(path))
      return egress.request(url, isEndless ? { timeoutMs: endlessMs, ...options } : options)
    },
  }
  const contextOf = sandboxContexts(sandbox, { egress: reached, now })
  const events: string[] = []
  const fail = (error: unknown) => void events.push(`failed: ${String(error)}`)
  const place = { accountId: '', repository: addShop(sandbox) }
  const installed: Installed = {
    test,
    sandbox,
    endless,
    deps: {
      store: test.store,
      contextOf,
      connectorOf: createConnectors(contextOf),
      health: createIntegrationHealth({ store: test.store, now, onError: fail }),
      emit: async (_tx, event) => void events.push(event),
      now,
      grants: { get: () => Promise.reject(new Error('An installation has no grant')) },
      requireReauth: () => Promise.resolve(),
    },
    orgId,
    integrationId: 'int_1',
    get accountId() {
      return place.accountId
    },
    get repository() {
      return place.repository
    },
    events,
    async read(kind = 'codehost') {
      const [row] = await test.asOwner(
        `select state, state_reason, account, scopes, revocation,
          (select array_agg(action) from audit_events where org_id = $1) as audited
         from integrations where org_id = $1 and kind = $2 order by created_at desc limit 1`,
        [orgId, kind],
      )
      return row ?? {}
    },
    async reset() {
      sandbox.reset()
      place.repository = addShop(sandbox)
      place.accountId = String(sandbox.github.install({ account: 'acme' }).id)
      events.length = 0
      await test.asOwner('delete from audit_events')
      await test.asOwner('delete from integrations')
      await test.asOwner(
        `insert into integrations (org_id, id, kind, provider, state, account_id, account)
         values ($1, 'int_1', 'codehost', 'github', 'connected', $2::text,
           json_build_object('id', $2::text, 'name', 'acme', 'url', null))`,
        [orgId, place.accountId],
      )
    },
    async close() {
      await Promise.all([sandbox.close(), egress.close()])
      await test.close()
    },
  }
  await installed.reset()
  return installed
}

function addShop({ github }: Sandbox) {
  const acme = github.state.accounts.get('acme')
  if (acme === undefined) throw new Error('The seed has lost its account')
  return github.activity.addRepository({ owner: acme, name: 'shop' })
}
