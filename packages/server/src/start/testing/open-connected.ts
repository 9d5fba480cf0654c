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
  close(): Promise<void>
}

export interface OpenConnected {
  readonly log?: Log
  /** Settings beside those that the sandbox needs, as environment variables. */
  readonly more?: Readonly<Record<string, string>>
  /** Whether the server knows no application at the providers yet, but where they are. */
  readonly withoutApps?: boolean
  /** A sandbox that runs already. It is closed with the service. */
  readonly sandbox?: Sandbox
  /** Says how long a first message waits, in milliseconds. Default: 7 seconds, as people have it. */
  readonly initialHoldMs?: number
}

/** Of the applications at the providers. */
const appVariable =
  /_(?:APP_ID|APP_SLUG|CLIENT_ID|CLIENT_SECRET|PRIVATE_KEY|WEBHOOK_SECRET|SIGNING_SECRET)$/

/** Starts all of it in this process, on a database of its own. Nothing is connected yet. */
export async function openConnected({
  log = silentLog,
  more = {},
  withoutApps = false,
  sandbox: started,
  initialHoldMs,
}: OpenConnected = {}): Promise<Connected> {
  const [directory, database, sandbox] = await Promise.all([
    mkdtemp(join(tmpdir(), 'signalbox-connected-')),
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
  // Without a signing secret, Slack could not check the address.
  if (!withoutApps) await registerAt(sandbox, apiUrl)
  const organization = await setUpOrganization(apiUrl, setupUrl)
  return {
    ...organization,
    asOwner: database.asOwner,
    sandbox,
    apiUrl,
    async addNode() {
      const node = await start()
      return node.apiUrl ?? ''
    },
    async close() {
      await Promise.all(nodes.map((node) => node.close()))
      await sandbox.close()
      await database.drop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
