import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../../crypto/ids.ts'
import { newOpaqueToken } from '../../crypto/opaque-tokens.ts'
import { newToken } from '../../crypto/tokens.ts'
import { readSettings } from '../../settings.ts'
import { createTestDatabase, type TestDatabase } from '../../store/testing/test-database.ts'
import { silentLog, type Log } from '../../telemetry/log.ts'
import type { Service } from '../service.ts'
import { startService } from '../start-service.ts'

const bootstrapToken = 'bootstrap-token-of-the-tests-0123456789'

interface NodeOptions {
  /** Further settings by their names. */
  readonly settings?: Readonly<Record<string, string>>
  readonly log?: Log
  readonly patienceMs?: number
}

/** Nodes in this process, on a database and with a directory of their own. */
export interface Nodes {
  /** Another node, with a data directory of its own. Default: every role, and no log. */
  start(roles?: string, more?: NodeOptions): Promise<Service>
  /** Asks a node as the bootstrap token. Throws what it refuses. */
  call<Answer>(node: Service, request: string, body?: object): Promise<Answer>
  /** An organization with an environment, a schema and its path at the delivery. */
  addConfiguration(node: Service): Promise<{
    readonly org: string
    readonly target: { readonly schemaId: string; readonly environmentId: string }
    readonly snapshot: string
  }>
  /** Adds a person with a role in an organization: their id, and tokens of theirs. */
  addPerson(
    orgId: string,
    role: string,
  ): Promise<{ readonly userId: string; readonly token: string; readonly session: string }>
  /** Names their database, for commands beside them. */
  readonly databaseUrl: string
  /** Looks and writes behind the service's back. */
  readonly asOwner: TestDatabase['asOwner']
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
    async start(
      roles = 'api,worker,delivery',
      { settings: more, log = silentLog, patienceMs } = {},
    ) {
      const settings = readSettings({
        DATABASE_URL: database.databaseUrl,
        SIGNALBOX_ROLES: roles,
        SIGNALBOX_ROOT_KEY: 'A'.repeat(43),
        SIGNALBOX_BOOTSTRAP_TOKEN: bootstrapToken,
        SIGNALBOX_DATA_DIR: join(directory, String((started += 1))),
        SIGNALBOX_API_PORT: '0',
        SIGNALBOX_DELIVERY_PORT: '0',
        SIGNALBOX_RATE_LIMITS: 'off',
        ...more,
      })
      const service = await startService(settings, log, undefined, { patienceMs })
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
    databaseUrl: database.databaseUrl,
    asOwner: (sql, values) => database.asOwner(sql, values),
    async addPerson(orgId, role) {
      const userId = newId('usr', new Date())
      const pat = newToken('pat')
      const session = newOpaqueToken()
      await database.asOwner(
        `with u as (insert into users (id, email, name) values ($1, $1, $1)),
          m as (insert into members (org_id, user_id, role) values ($2, $1, $3)),
          t as (insert into personal_access_tokens (id, user_id, name, handle, hash, manages) values ($4, $1, 'test', $5, $6, true))
        insert into sessions (token_hash, user_id, expires_at) values ($7, $1, now() + interval '1 day')`,
        [userId, orgId, role, newId('key', new Date()), pat.handle, pat.hash, session.hash],
      )
      return { userId, token: pat.token, session: session.token }
    },
    async close() {
      await Promise.all([...running].map((node) => node.close()))
      await database.drop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
