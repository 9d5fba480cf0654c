import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { startService, type ServiceProcess } from '../../e2e/start-service.ts'
import { withOwner } from '../../packages/server/src/store/owner.ts'
import { until } from '../../test/testing/proof-service.ts'
import { benchSettings, openOwnPostgres } from '../own-postgres.ts'

/** Describes a server of two processes on one PostgreSQL: one answers people, one delivers. */
export interface GrowingServer {
  readonly apiUrl: string
  readonly bootstrapToken: string
  /** The process that delivers, and delivered last. */
  delivery(): ServiceProcess
  /** Starts it again, and returns after how many milliseconds it serves an organization. `empty` takes its files away before. */
  restartDelivery(of: { readonly empty: boolean; readonly organization: Served }): Promise<number>
  /** Runs work on one connection of the superuser. */
  asOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Names a snapshot, and a key that reads it. */
interface Served {
  readonly schemaId: string
  readonly environmentIds: readonly string[]
  readonly serverKey: string
}

/** Opens an empty server, as users run it: the built service, and the embedded PostgreSQL with its settings. */
export async function openGrowingServer(): Promise<GrowingServer> {
  const database = await openOwnPostgres()
  const env = { ...benchSettings, DATABASE_URL: database.url }
  const files = join(database.directory, 'delivery')
  const start = (roles: string, dataDir: string) =>
    startService({
      entry: 'built',
      timeoutMs: 300_000,
      env: { ...env, SIGNALBOX_ROLES: roles, SIGNALBOX_DATA_DIR: dataDir },
    })
  const api = await start('api,worker', join(database.directory, 'api'))
  let delivery = await start('delivery', files)
  return {
    apiUrl: api.apiUrl,
    bootstrapToken: benchSettings.SIGNALBOX_BOOTSTRAP_TOKEN,
    delivery: () => delivery,
    async restartDelivery({ empty, organization }) {
      await delivery.stop()
      if (empty) await rm(files, { recursive: true, force: true })
      const begun = performance.now()
      delivery = await start('delivery', files)
      await until(() => serves(delivery.configUrl, organization), 'a delivery that serves', 300_000)
      return performance.now() - begun
    },
    asOwner: (work) => withOwner(database.target, work),
    async close() {
      await delivery.kill()
      await api.kill()
      await database.close()
    },
  }
}

async function serves(configUrl: string, of: Served): Promise<boolean> {
  const answer = await fetch(`${configUrl}/snapshots/${of.schemaId}/${of.environmentIds[0]}`, {
    headers: { authorization: `Bearer ${of.serverKey}` },
  }).catch(() => undefined)
  await answer?.arrayBuffer()
  return answer?.status === 200
}
