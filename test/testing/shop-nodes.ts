import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox, type Sandbox } from '@signalbox/sandbox'
import { startService, type ServiceProcess } from '../../e2e/start-service.ts'
import {
  connectAll,
  registerAt,
  sandboxVariables,
  setUpOrganization,
  slackWithHistory,
  type ConnectedOrganization,
} from '../../packages/server/src/start/testing/connect-organization.ts'
import { openShop, type Shop } from '../../packages/server/src/start/testing/play-push.ts'
import {
  createTestDatabase,
  type TestDatabase,
} from '../../packages/server/src/store/testing/test-database.ts'
import { findFreePort } from './network/ports.ts'

/** One process of several on one database, at one address through all of its lives. */
export interface ShopNode {
  readonly apiUrl: string
  /** Says whether it responds. */
  readonly isUp: boolean
  /** Ends it as a crash does. */
  kill(): Promise<void>
  start(): Promise<void>
}

/** As whatever supervises a service does: a database that is flooded may not answer a start in time. */
const startsMax = 5

/** The service as two processes on one database, connected to the sandbox. */
export interface ShopNodes extends Pick<TestDatabase, 'asOwner'> {
  readonly nodes: readonly [ShopNode, ShopNode]
  readonly sandbox: Sandbox
  readonly shop: Shop
  /** At the first node. */
  readonly organization: ConnectedOrganization
  close(): Promise<void>
}

/** Configures `openShopNodes`. */
export interface OpenShopNodes {
  /** Holds further settings of both processes. */
  readonly env?: Readonly<Record<string, string>>
  /** Says whether they know every provider of the sandbox. Default: GitHub, Jira and Slack, which are connected. */
  readonly withAllProviders?: boolean
  /** Holds further options of Node, such as a module that is loaded before the service. */
  readonly nodeOptions?: readonly string[]
  /** Default: a database of its own. It is dropped in the end. */
  readonly database?: TestDatabase
}

export async function openShopNodes({
  env: further = {},
  withAllProviders = false,
  nodeOptions = [],
  database: own,
}: OpenShopNodes = {}): Promise<ShopNodes> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-nodes-'))
  const [database, sandbox] = await Promise.all([own ?? createTestDatabase(), startSandbox()])
  const ports = [await findFreePort(), await findFreePort()] as const
  const [publicUrl] = ports.map((port) => `http://127.0.0.1:${port}`)
  const env = {
    ...sandboxVariables(sandbox),
    ...(withAllProviders && (await readAllVariables(sandbox))),
    DATABASE_URL: database.databaseUrl,
    SIGNALBOX_PUBLIC_URL: publicUrl ?? '',
    SIGNALBOX_ROOT_KEY: 'A'.repeat(43),
    SIGNALBOX_ROLES: 'api,worker',
    SIGNALBOX_RATE_LIMITS: 'off',
    ...further,
  }
  let setupUrl: string | undefined
  const open = async (port: number): Promise<ShopNode> => {
    const SIGNALBOX_DATA_DIR = join(directory, String(port))
    const settings = { ...env, SIGNALBOX_DATA_DIR, SIGNALBOX_API_PORT: String(port) }
    let running: ServiceProcess | undefined
    const node = {
      apiUrl: `http://127.0.0.1:${port}`,
      get isUp() {
        return running !== undefined
      },
      async kill() {
        const ending = running
        running = undefined
        await ending?.kill()
      },
      async start() {
        for (let tries = startsMax; running === undefined; tries -= 1) {
          running = await startService({ env: settings, nodeOptions, timeoutMs: 120_000 }).catch(
            (error: unknown) => {
              if (tries <= 1) throw error
              return undefined
            },
          )
        }
        // Each start prints another one.
        setupUrl = running.setupUrl
      },
    }
    await node.start()
    return node
  }
  const nodes = [await open(ports[0]), await open(ports[1])] as const
  const [{ apiUrl }] = nodes
  await registerAt(sandbox, apiUrl)
  const shop = openShop(sandbox)
  const organization = await setUpOrganization(apiUrl, setupUrl)
  await connectAll(organization, { chat: slackWithHistory })
  return {
    nodes,
    sandbox,
    shop,
    organization,
    asOwner: (sql, values) => database.asOwner(sql, values),
    async close() {
      for (const node of nodes) await node.kill()
      await sandbox.close()
      await database.drop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Reads the settings with which a service uses each provider of the sandbox. */
async function readAllVariables({ origin }: Sandbox): Promise<Readonly<Record<string, string>>> {
  const { participants } = (await (await fetch(`${origin}/control`)).json()) as {
    readonly participants: readonly { readonly settings: Readonly<Record<string, string>> }[]
  }
  return Object.assign({}, ...participants.map(({ settings }) => settings)) as Record<
    string,
    string
  >
}
