import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSettings } from '../../settings.ts'
import { createTestDatabase } from '../../store/testing/test-database.ts'
import { silentLog } from '../../telemetry/log.ts'
import type { Service } from '../service.ts'
import { startService } from '../start-service.ts'

const bootstrapToken = 'bootstrap-token-of-the-tests-0123456789'

/** Nodes in this process, on a database and with a directory of their own. */
export interface Nodes {
  /** Another node, with a data directory of its own. Default: every role. */
  start(roles?: string): Promise<Service>
  /** Asks a node as the bootstrap token. Throws what it refuses. */
  call<Answer>(node: Service, request: string, body?: object): Promise<Answer>
  /** An organization with an environment, a schema and its path at the delivery. */
  addConfiguration(node: Service): Promise<{
    readonly org: string
    readonly target: { readonly schemaId: string; readonly environmentId: string }
    readonly snapshot: string
  }>
  /** Stops all nodes and takes their database away. */
  close(): Promise<void>
}

export async function openNodes(): Promise<Nodes> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-nodes-'))
  const database = await createTestDatabase()
  const running = new Set<Service>()
  let started = 0
  const call = async <Answer>({ apiUrl }: Service, request: string, body?: object) => {
    const [method = 'GET', path = ''] = request.split(' ')
    const answer = await fetch(`${apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${bootstrapToken}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${request}: ${answer.status} ${await answer.text()}`)
    return (answer.status === 204 ? undefined : await answer.json()) as Answer
  }
  return {
    async start(roles = 'api,worker,delivery') {
      const settings = readSettings({
        DATABASE_URL: database.databaseUrl,
        SIGNALBOX_ROLES: roles,
        SIGNALBOX_ROOT_KEY: 'A'.repeat(43),
        SIGNALBOX_BOOTSTRAP_TOKEN: bootstrapToken,
        SIGNALBOX_DATA_DIR: join(directory, String((started += 1))),
        SIGNALBOX_API_PORT: '0',
        SIGNALBOX_DELIVERY_PORT: '0',
        SIGNALBOX_RATE_LIMITS: 'off',
      })
      const service = await startService(settings, silentLog)
      const close = async () => {
        running.delete(node)
        await service.close()
      }
      const node: Service = { ...service, close }
      running.add(node)
      return node
    },
    call,
    async addConfiguration(node) {
      const { id } = await call<{ id: string }>(node, 'POST /organizations', { name: 'Acme' })
      const org = `/organizations/${id}`
      const environment = await call<{ id: string }>(node, `POST ${org}/environments`, {
        name: 'live',
      })
      const schema = await call<{ id: string }>(node, `POST ${org}/config-schemas`, {
        name: 'web',
        schema: { theme: { type: 'string', tier: 'public', default: 'dark' } },
      })
      return {
        org,
        target: { schemaId: schema.id, environmentId: environment.id },
        snapshot: `/snapshots/${schema.id}/${environment.id}`,
      }
    },
    async close() {
      await Promise.all([...running].map((node) => node.close()))
      await database.drop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
