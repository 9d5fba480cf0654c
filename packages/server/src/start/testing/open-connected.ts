import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox, type Sandbox } from '@signalbox/sandbox'
import { readSettings } from '../../settings.ts'
import { createTestDatabase, type TestDatabase } from '../../store/testing/test-database.ts'
import { silentLog } from '../../telemetry/log.ts'
import type { Log } from '../../telemetry/log.ts'
import type { Service } from '../service.ts'
import { startService } from '../start-service.ts'
import {
  registerAt,
  sandboxVariables,
  setUpOrganization,
  type ConnectedOrganization,
} from './connect-organization.ts'

/** A whole service and the sandbox, with an organization whose owner is signed in. */
export interface Connected extends ConnectedOrganization, Pick<TestDatabase, 'asOwner'> {
  readonly sandbox: Sandbox
  readonly apiUrl: string
  /** Starts another node on the same database, with a directory of its own, until all of it is closed. Returns its address. */
  addNode(): Promise<string>
  /**
   * Sets the running service up anew, by another owner with another organization, who have the names of the former, and puts the
   * sandbox back to its seed. What there was is destroyed: nothing of it is in reach of the new ones, or in their way.
   */
  renew(): Promise<Connected>
  close(): Promise<void>
}

export interface OpenConnected {
  readonly log?: Log
  /** Settings beside those that the sandbox needs, as environment variables. */
  readonly more?: Readonly<Record<string, string>>
  /** Starts the server with the addresses of the providers, and with no application at them. Default false. */
  readonly withoutApps?: boolean
  /** A sandbox that runs already. It is closed with the service. */
  readonly sandbox?: Sandbox
  /** Says how long a first message waits, in milliseconds. Default: 7 seconds, as people have it. */
  readonly initialHoldMs?: number
  /** Holds the path of a directory for what the nodes store. It is removed with the service. Default: a new one. */
  readonly directory?: string
}

/** Of the applications at the providers. */
const appVariable =
  /_(?:APP_ID|APP_SLUG|CLIENT_ID|CLIENT_SECRET|PRIVATE_KEY|WEBHOOK_SECRET|SIGNING_SECRET)$/

/** Leaves no organization and nobody, as before the set-up, whose link is good again. What belongs to the server itself stays. */
const emptyServer = `
  delete from organizations;
  delete from users;
  delete from received_webhooks;
  delete from received_webhook_ids;
  delete from webhook_watermarks;
  update setup set completed_at = null, first_org_id = null`

/** Empties the server. Work that is under way for the former organization goes on meanwhile, and may hold rows of it. */
async function empty({ asOwner }: Pick<TestDatabase, 'asOwner'>): Promise<void> {
  try {
    await asOwner(emptyServer)
  } catch (error) {
    if (!isDeadlock(error)) throw error
    await empty({ asOwner })
  }
}

const isDeadlock = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === '40P01'

/** Starts all of it in this process, on a database of its own. Nothing is connected yet. */
export async function openConnected({
  log = silentLog,
  more = {},
  withoutApps = false,
  sandbox: started,
  initialHoldMs,
  directory: given,
}: OpenConnected = {}): Promise<Connected> {
  const [directory, database, sandbox] = await Promise.all([
    given ?? mkdtemp(join(tmpdir(), 'signalbox-connected-')),
    createTestDatabase(),
    started ?? startSandbox(),
  ])
  const nodes: Service[] = []
  const variables = Object.entries(sandboxVariables(sandbox)).filter(
    ([name]) => !withoutApps || !appVariable.test(name),
  )
  const start = async () => {
    const settings = readSettings({
      ...Object.fromEntries(variables),
      DATABASE_URL: database.databaseUrl,
      SIGNALBOX_ROOT_KEY: 'A'.repeat(43),
      SIGNALBOX_DATA_DIR: join(directory, String(nodes.length)),
      SIGNALBOX_API_PORT: '0',
      SIGNALBOX_DELIVERY_PORT: '0',
      SIGNALBOX_RATE_LIMITS: 'off',
      ...more,
    })
    const node = await startService(settings, log, undefined, { initialHoldMs })
    nodes.push(node)
    return node
  }
  const service = await start()
  const { apiUrl = '', setupUrl } = service
  const setUp = async (): Promise<Connected> => {
    // Without a signing secret, Slack could not check the address.
    if (!withoutApps) await registerAt(sandbox, apiUrl)
    return { ...opened, ...(await setUpOrganization(apiUrl, setupUrl)) }
  }
  const opened = {
    asOwner: database.asOwner,
    sandbox,
    apiUrl,
    async addNode() {
      const node = await start()
      return node.apiUrl ?? ''
    },
    async renew() {
      sandbox.reset()
      await empty(database)
      return setUp()
    },
    async close() {
      await Promise.all(nodes.map((node) => node.close()))
      await sandbox.close()
      await database.drop()
      await rm(directory, { recursive: true, force: true })
    },
  }
  return setUp()
}
