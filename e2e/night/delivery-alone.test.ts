import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { silentLog } from '../../packages/server/src/store/log.ts'
import { openDatabase, type OpenDatabase } from '../../packages/server/src/store/open-database.ts'
import { callAs, type Caller } from '../call.ts'
import { startService, type ServiceProcess } from '../start-service.ts'

const bootstrapToken = randomBytes(24).toString('base64url')
const rootKey = randomBytes(32).toString('base64url')

let directory: string
let database: OpenDatabase
let api: ServiceProcess
let delivery: ServiceProcess
let place: string
let browserKey: string
let serverKey: string

function databaseUrl({ target }: OpenDatabase): string {
  const { host = '', user = '', database: name = '' } = target.hosts[0] ?? {}
  return `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}`
}

function startDelivery(withRootKey = true): Promise<ServiceProcess> {
  return startService({
    env: {
      SIGNALBOX_ROLES: 'delivery',
      SIGNALBOX_DATA_DIR: join(directory, 'delivery'),
      DATABASE_URL: databaseUrl(database),
      ...(withRootKey && { SIGNALBOX_ROOT_KEY: rootKey }),
    },
  })
}

async function read(key: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const answer = await fetch(`${delivery.configUrl}${place}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return { status: answer.status, body: await answer.json() }
}

/** Writes a value and waits until the delivery process, which is another one, answers with it. */
async function setAndAwait(caller: Caller, target: object, theme: string): Promise<void> {
  await caller('PUT', '/config-values', { ...target, values: { theme, apiSecret: 'kept-sealed' } })
  const arrived = async () => JSON.stringify((await read(browserKey)).body).includes(theme)
  await vi.waitUntil(arrived, { timeout: 60_000 })
}

/** Waits until a crash of the delivery process costs nothing: its disk has `theme` for both audiences, and says how old it is. */
async function awaitOnDisk(theme: string): Promise<void> {
  const kept = join(directory, 'delivery', 'delivery')
  const isKept = async () => {
    const paths = (await readdir(kept, { recursive: true })).filter((path) =>
      path.endsWith('.json'),
    )
    const texts = await Promise.all(paths.map((path) => readFile(join(kept, path), 'utf8')))
    return paths.includes('as-of.json') && texts.filter((text) => text.includes(theme)).length === 2
  }
  await vi.waitUntil(isKept, { timeout: 60_000 })
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-alone-'))
  // PostgreSQL runs as another user when the tests run as root, and has to pass through.
  await chmod(directory, 0o711)
  const source = { dataDir: join(directory, 'database'), searchPath: process.env['PATH'] ?? '' }
  database = await openDatabase(source, silentLog)
  api = await startService({
    env: {
      SIGNALBOX_ROLES: 'api,worker',
      SIGNALBOX_DATA_DIR: join(directory, 'api'),
      DATABASE_URL: databaseUrl(database),
      SIGNALBOX_ROOT_KEY: rootKey,
      SIGNALBOX_BOOTSTRAP_TOKEN: bootstrapToken,
    },
  })
  const bootstrap = callAs(api.apiUrl, bootstrapToken)
  const { id: orgId } = await bootstrap<{ id: string }>('POST', '/organizations', { name: 'Acme' })
  const owner = callAs(`${api.apiUrl}/organizations/${orgId}`, bootstrapToken)
  const keyOf = (kind: string) =>
    owner<{ secret: string }>('POST', '/api-keys', { name: kind, kind })
  browserKey = (await keyOf('b2m')).secret
  serverKey = (await keyOf('m2m')).secret
  const environment = await owner<{ id: string }>('POST', '/environments', { name: 'live' })
  const schema = await owner<{ id: string }>('POST', '/config-schemas', {
    name: 'web',
    schema: { theme: { type: 'string', tier: 'public' }, apiSecret: { type: 'string' } },
  })
  place = `/snapshots/${schema.id}/${environment.id}`
  delivery = await startDelivery()
  await setAndAwait(owner, { schemaId: schema.id, environmentId: environment.id }, 'dark')
  await awaitOnDisk('dark')
  await api.kill()
  await database.close()
})

afterAll(async () => {
  await delivery.stop()
  await rm(directory, { recursive: true, force: true })
})

describe('a delivery process whose API and database are gone', () => {
  const open = { public: { theme: 'dark' } }
  const whole = { ...open, secret: { apiSecret: 'kept-sealed' } }

  it('keeps serving browsers and servers', async () => {
    expect(await read(browserKey)).toMatchObject({ status: 200, body: open })
    expect(await read(serverKey)).toMatchObject({ status: 200, body: whole })
  })

  it('starts from its disk after a crash', async () => {
    await delivery.kill()
    delivery = await startDelivery()
    expect(await read(browserKey)).toMatchObject({ status: 200, body: open })
    expect(await read(serverKey)).toMatchObject({ status: 200, body: whole })
    const unknown = await read(browserKey.slice(0, -1))
    expect(unknown.status).toBe(401)
  })

  it('says that it is ready, and for how long it has heard nothing', async () => {
    const answer = await fetch(`${delivery.configUrl}/readyz`)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      database: { ok: false },
      snapshots: { loadedFrom: 'disk', ageSeconds: expect.any(Number) },
    })
  })

  it('serves browsers without the root key, and tells servers that it is sealed', async () => {
    await delivery.stop()
    delivery = await startDelivery(false)
    expect(await read(browserKey)).toMatchObject({ status: 200, body: open })
    expect(await read(serverKey)).toMatchObject({ status: 503, body: { code: 'sealed' } })
  })

  it('has nothing to serve without its disk, which is the proof that it came from there', async () => {
    await delivery.stop()
    await rm(join(directory, 'delivery'), { recursive: true })
    delivery = await startDelivery()
    expect((await read(browserKey)).status).toBe(503)
    expect((await fetch(`${delivery.configUrl}/readyz`)).status).toBe(503)
  })
})
