import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callAs } from './call.ts'
import { startService, type ServiceProcess } from './start-service.ts'

/**
 * A service with an organization, `acme`, and the environment `production`. It has a second schema, of another application,
 * and keys that may read both: as an organization has them whose members have tried two examples.
 */
export interface Acme {
  readonly service: ServiceProcess
  readonly browserKey: string
  readonly serverKey: string
  /** Writes values, and answers once the delivery tells of them. */
  set(values: Readonly<Record<string, string | number | boolean>>): Promise<void>
  close(): Promise<void>
}

/** Starts the service with `schema`, as `signalbox push` sends it. */
export async function startAcme(name: string, schema: object): Promise<Acme> {
  const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-acme-'))
  // PostgreSQL runs as another user when the tests run as root, and has to pass through.
  await chmod(dataDir, 0o711)
  const bootstrapToken = randomBytes(24).toString('base64url')
  const service = await startService({
    env: { SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_BOOTSTRAP_TOKEN: bootstrapToken },
    // Builds of Next.js run beside it.
    timeoutMs: 120_000,
  })
  const bootstrap = callAs(service.apiUrl, bootstrapToken)
  const { id: orgId } = await bootstrap<{ id: string }>('POST', '/organizations', { name: 'acme' })
  const owner = callAs(`${service.apiUrl}/organizations/${orgId}`, bootstrapToken)
  const { id: environmentId } = await owner<{ id: string }>('POST', '/environments', {
    name: 'production',
  })
  const { id: schemaId } = await owner<{ id: string }>('POST', '/config-schemas', { name, schema })
  await owner('POST', '/config-schemas', {
    name: 'another',
    schema: { greeting: { type: 'string', tier: 'public', default: 'of another application' } },
  })
  const makeKey = async (kind: string) =>
    (await owner<{ secret: string }>('POST', '/api-keys', { name: kind, kind })).secret
  const browserKey = await makeKey('b2m')
  const serverKey = await makeKey('m2m')
  const read = callAs(service.configUrl, serverKey)
  return {
    service,
    browserKey,
    serverKey,
    async set(values) {
      const pair = { schemaId, environmentId }
      const { version } = await owner<{ version: number }>('PUT', '/config-values', {
        ...pair,
        values,
      })
      const path = `/snapshots/${schemaId}/${environmentId}`
      while ((await read<{ version: number }>('GET', path)).version < version) {
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    async close() {
      await service.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
