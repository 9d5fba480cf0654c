import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startService, type ServiceProcess, type StartService } from '../../e2e/start-service.ts'
import { readPostmasterFile } from '../../packages/server/src/store/embedded/lock-files.ts'
import { stopServer } from '../../packages/server/src/store/embedded/postmaster.ts'
import { attachEmbedded } from '../../packages/server/src/store/embedded/start-embedded.ts'
import { silentLog } from '../../packages/server/src/store/log.ts'
import { withOwner } from '../../packages/server/src/store/owner.ts'
import { keepOwner } from '../../packages/server/src/store/testing/keep-owner.ts'
import { freezeTree, killTree } from './database/process-tree.ts'

/** The real service as a process, on an embedded database of its own, that may be killed and started again. */
export interface ProofService {
  readonly dataDir: string
  readonly bootstrapToken: string
  /** The settings it is started with, for commands beside it. */
  readonly env: Readonly<Record<string, string>>
  /** The process that serves, or served last. */
  current(): ServiceProcess
  /** Starts it again on the same data. */
  start(): Promise<ServiceProcess>
  /** Kills the service as a crash does. Its database runs on. */
  killService(): Promise<void>
  /** Kills the database server and every process of it at once, so that nothing can be written any more. */
  killDatabase(): Promise<void>
  /** Halts the database server and every process of it, or lets them go on: it keeps its connections and says nothing. */
  freezeDatabase(isFrozen: boolean): Promise<void>
  /** Runs SQL as the superuser, who is bound by no policy. */
  asOwner<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  /** Runs SQL as the service does for requests of an organization: with its role, bound by its policies. */
  asOrganization<Row extends object>(orgId: string, sql: string): Promise<Row[]>
  /** Stops what runs and removes the data. */
  close(): Promise<void>
}

export interface OpenProofService {
  readonly env?: Readonly<Record<string, string>>
  readonly bootstrapToken?: string
  readonly entry?: StartService['entry']
  readonly descriptors?: StartService['descriptors']
}

/** Starts the service. Nothing is limited, so that rejections come from what is proven. */
export async function openProofService({
  env = {},
  bootstrapToken = 'bootstrap-token-of-the-proof-0123456789',
  entry,
  descriptors,
}: OpenProofService = {}): Promise<ProofService> {
  const base = await mkdtemp(join(tmpdir(), 'signalbox-proof-'))
  // PostgreSQL runs as another user when the proof runs as root, and has to pass through.
  await chmod(base, 0o711)
  const dataDir = join(base, 'data')
  const firstStart = process.env['SIGNALBOX_PROOF_DATA']
  // Another PostgreSQL makes its own. With its owner: the files of a database belong to whom it runs as.
  if (firstStart !== undefined && env['SIGNALBOX_POSTGRES_BIN'] === undefined) {
    await promisify(execFile)('cp', ['-a', firstStart, dataDir])
  }
  const cluster = join(dataDir, 'postgres')
  const settings = {
    SIGNALBOX_DATA_DIR: dataDir,
    SIGNALBOX_BOOTSTRAP_TOKEN: bootstrapToken,
    SIGNALBOX_RATE_LIMITS: 'off',
    ...env,
  }
  const start = () =>
    startService({ env: settings, descriptors, ...(entry !== undefined && { entry }) })
  const remove = async () => {
    await stopServer(cluster)
    // A database that is ending may still write.
    await rm(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
  let running = await start().catch(async (error: unknown) => {
    await remove()
    throw error
  })
  const { target } = await attachEmbedded({ dataDir, log: silentLog })
  const owner = keepOwner(target)
  return {
    dataDir,
    bootstrapToken,
    env: settings,
    current: () => running,
    async start() {
      running = await start()
      return running
    },
    killService: () => running.kill(),
    async killDatabase() {
      const file = await readPostmasterFile(cluster)
      if (file === undefined) throw new Error('There is no database server to kill')
      await killTree(file.pid)
    },
    async freezeDatabase(isFrozen) {
      const file = await readPostmasterFile(cluster)
      if (file === undefined) throw new Error('There is no database server to freeze')
      await freezeTree(file.pid, isFrozen)
    },
    asOwner: <Row extends object>(sql: string, values: readonly unknown[] = []) =>
      owner.query<Row>(sql, [...values]),
    asOrganization: <Row extends object>(orgId: string, sql: string) =>
      withOwner(target, async (client) => {
        await client.query('begin')
        await client.query('set local role signalbox_app')
        await client.query(`select set_config('app.org_id', $1, true)`, [orgId])
        return (await client.query<Row>(sql)).rows
      }),
    async close() {
      await owner.close()
      await running.kill()
      await remove()
    },
  }
}

/** Looks every few milliseconds until `holds` does, or less often where it asks somebody. Fails after `timeoutMs`. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = 60_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  for (let held = holds(); !(await held); held = holds()) {
    if (performance.now() > deadline) throw new Error(`${what} did not come in ${timeoutMs} ms`)
    await delay(held instanceof Promise ? 25 : 2)
  }
}
