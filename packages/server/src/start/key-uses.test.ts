import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStream } from '../delivery/testing/http-client.ts'
import { readSettings } from '../settings.ts'
import { createTestDatabase, type TestDatabase } from '../store/testing/test-database.ts'
import { silentLog } from '../telemetry/log.ts'
import type { Service } from './service.ts'
import { startService } from './start-service.ts'

const bootstrapToken = 'bootstrap-token-of-the-tests-0123456789'

interface Key {
  readonly id: string
  readonly secret: string
}

let directory: string
let database: TestDatabase
let everything: Service
let org: string
let snapshot: string

/** A process with these roles. What it was told of uses is written down when it stops, or once a minute. */
function start(roles: string): Promise<Service> {
  const settings = readSettings({
    DATABASE_URL: database.databaseUrl,
    SIGNALBOX_ROLES: roles,
    SIGNALBOX_ROOT_KEY: 'A'.repeat(43),
    SIGNALBOX_BOOTSTRAP_TOKEN: bootstrapToken,
    SIGNALBOX_DATA_DIR: join(directory, roles),
    SIGNALBOX_API_PORT: '0',
    SIGNALBOX_DELIVERY_PORT: '0',
    SIGNALBOX_RATE_LIMITS: 'off',
  })
  return startService(settings, silentLog)
}

async function call<Answer>({ apiUrl }: Service, request: string, body?: object): Promise<Answer> {
  const [method = 'GET', path = ''] = request.split(' ')
  const answer = await fetch(`${apiUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${bootstrapToken}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${request}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}

const addKey = () => call<Key>(everything, `POST ${org}/api-keys`, { name: 'web', kind: 'b2m' })

async function statusAt(url: string | undefined, { secret }: Key): Promise<number> {
  const answer = await fetch(`${url}${snapshot}?apiKey=${secret}`)
  await answer.arrayBuffer()
  return answer.status
}

async function streamAt(url: string | undefined, { secret }: Key): Promise<() => void> {
  const { port } = new URL(url ?? '')
  const stream = await openStream(Number(port), `${snapshot}/stream?apiKey=${secret}`)
  expect(stream.status).toBe(200)
  return () => stream.close()
}

/** When each key was last used, as the API shows it. */
async function listUses(service: Service): Promise<ReadonlyMap<string, string | null>> {
  const { items } = await call<{ items: { id: string; lastUsedAt: string | null }[] }>(
    service,
    `GET ${org}/api-keys`,
  )
  return new Map(items.map(({ id, lastUsedAt }) => [id, lastUsedAt]))
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-uses-'))
  database = await createTestDatabase()
  everything = await start('api,worker,delivery')
  const { id } = await call<{ id: string }>(everything, 'POST /organizations', { name: 'Acme' })
  org = `/organizations/${id}`
  const environment = await call<{ id: string }>(everything, `POST ${org}/environments`, {
    name: 'live',
  })
  const schema = await call<{ id: string }>(everything, `POST ${org}/config-schemas`, {
    name: 'web',
    schema: { theme: { type: 'string', tier: 'public', default: 'dark' } },
  })
  snapshot = `/snapshots/${schema.id}/${environment.id}`
})

afterAll(async () => {
  await everything.close()
  await database.drop()
  await rm(directory, { recursive: true, force: true })
})

describe('a browser key that configuration is read with', () => {
  it('is shown as used when a process that only delivers has served it', async () => {
    const [used, unused] = [await addKey(), await addKey()]
    const delivering = await start('delivery')
    const since = Date.now()
    await expect.poll(() => statusAt(delivering.configUrl, used)).toBe(200)
    const until = Date.now()
    await delivering.close()
    const uses = await listUses(everything)
    expect(Date.parse(uses.get(used.id) ?? '')).toBeGreaterThanOrEqual(since)
    expect(Date.parse(uses.get(used.id) ?? '')).toBeLessThanOrEqual(until)
    expect(uses.get(unused.id)).toBeNull()
  })

  it('is shown as used when it read or listened at either address', async () => {
    const { apiUrl, configUrl } = everything
    const keys = [await addKey(), await addKey(), await addKey(), await addKey()] as const
    const unused = await addKey()
    const since = Date.now()
    await expect.poll(() => statusAt(configUrl, keys[0])).toBe(200)
    expect(await statusAt(apiUrl, keys[1])).toBe(200)
    const streams = [await streamAt(configUrl, keys[2]), await streamAt(apiUrl, keys[3])]
    for (const close of streams) close()
    await everything.close()
    everything = await start('api,worker,delivery')
    const uses = await listUses(everything)
    for (const { id } of keys) {
      expect(Date.parse(uses.get(id) ?? '')).toBeGreaterThanOrEqual(since)
    }
    expect(uses.get(unused.id)).toBeNull()
  })
})
