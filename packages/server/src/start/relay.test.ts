import { mkdtemp, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replicaCommand } from '../commands/replica.ts'
import { SettingsError, readSettings } from '../settings.ts'
import type { Service } from './service.ts'
import { openNodes, type Nodes } from './testing/open-nodes.ts'

let nodes: Nodes
let origin: Service
let place: Awaited<ReturnType<Nodes['addConfiguration']>>
let publisherKey: string
let relayKey: string
let browserKey: string
let browserKeyId: string

beforeAll(async () => {
  nodes = await openNodes()
  origin = await nodes.start()
  place = await nodes.addConfiguration(origin)
  const addKey = async (kind: string, restrictions = {}) => {
    const body = { name: kind, kind, ...restrictions }
    return nodes.call<{ id: string; secret: string }>(origin, `POST ${place.org}/api-keys`, body)
  }
  relayKey = (await addKey('rly', { environmentIds: [place.target.environmentId] })).secret
  const browser = await addKey('b2m')
  browserKey = browser.secret
  browserKeyId = browser.id
  const keys = await fetch(`${origin.configUrl}/.well-known/signalbox-keys`)
  publisherKey = ((await keys.json()) as { keys: [{ x: string }] }).keys[0].x
})
afterAll(() => nodes.close())

const relaySettings = (upstream: Service) => ({
  SIGNALBOX_UPSTREAM_URL: upstream.configUrl ?? '',
  SIGNALBOX_UPSTREAM_KEY: relayKey,
  SIGNALBOX_PUBLISHER_KEYS: publisherKey,
})
const startWith = (settings: Readonly<Record<string, string>>) =>
  nodes.start('relay', {
    settings: {
      DATABASE_URL: '',
      SIGNALBOX_BOOTSTRAP_TOKEN: '',
      SIGNALBOX_ROOT_KEY: '',
      ...settings,
    },
  })
const startRelay = (upstream: Service) => startWith(relaySettings(upstream))

const read = async ({ configUrl }: Service) =>
  (await fetch(`${configUrl}${place.snapshot}?apiKey=${browserKey}`)).text()

const nameOf = ({ configUrl }: Service) => `${hostname()}:${new URL(configUrl ?? '').port}`

async function listNodes(): Promise<readonly string[]> {
  const { deliveryNodes } = await nodes.call<{ deliveryNodes: { name: string }[] }>(
    origin,
    'GET /server/status',
  )
  return deliveryNodes.map(({ name }) => name)
}

async function exportReplica(settings: Readonly<Record<string, string>>, file: string) {
  await replicaCommand({
    settings: () => readSettings({ SIGNALBOX_ROLES: 'relay', ...settings }),
    operands: ['export', file],
    json: false,
    force: false,
    events: {},
    terminal: { out() {}, err() {}, isTerminal: false },
  })
}

describe('a relay', () => {
  it('serves what its upstream publishes, and feeds another relay, without a database', async () => {
    const first = await startRelay(origin)
    expect(first.apiUrl).toBeUndefined()
    await expect.poll(() => read(first)).toContain('"theme":"dark"')
    const second = await startRelay(first)
    await expect.poll(() => read(second)).toBe(await read(origin))
    const body = { ...place.target, values: { theme: 'light' } }
    await nodes.call(origin, `PUT ${place.org}/config-values`, body)
    await expect.poll(() => read(second)).toContain('"theme":"light"')
    expect(await read(second)).toBe(await read(origin))
  })

  it('serves in two processes, and feeds another relay with both', async () => {
    const both = {
      ...relaySettings(origin),
      SIGNALBOX_DELIVERY_PROCESSES: '2',
      // They print for themselves.
      SIGNALBOX_LOG_LEVEL: 'silent',
    }
    const first = await startWith(both)
    const second = await startRelay(first)
    const body = { ...place.target, values: { theme: 'in two' } }
    await nodes.call(origin, `PUT ${place.org}/config-values`, body)
    await expect.poll(() => read(second)).toContain('"theme":"in two"')
    for (let at = 0; at < 8; at += 1)
      await expect.poll(() => read(first)).toContain('"theme":"in two"')
    expect((await listNodes()).filter((name) => name === nameOf(first))).toHaveLength(1)
  })

  it('reports itself and the keys that it has served, through the relay that feeds it', async () => {
    const first = await startRelay(origin)
    await expect.poll(() => listNodes()).toContain(nameOf(first))
    const second = await startRelay(first)
    await expect.poll(() => read(second)).toContain('"theme"')
    const since = Date.now()
    await read(second)
    await second.close()
    // The last report of the second says that it stops, so that nobody misses it.
    await first.close()
    expect(await listNodes()).not.toContain(nameOf(first))
    expect(await listNodes()).not.toContain(nameOf(second))
    await origin.close()
    origin = await nodes.start()
    const { items } = await nodes.call<{ items: { id: string; lastUsedAt: string | null }[] }>(
      origin,
      `GET ${place.org}/api-keys`,
    )
    const used = items.find(({ id }) => id === browserKeyId)?.lastUsedAt
    expect(Date.parse(used ?? '')).toBeGreaterThanOrEqual(since)
  })

  it('is fed by a file as well, of which another one takes the place while it runs', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'signalbox-replica-'))
    const file = join(directory, 'values.replica')
    const write = () => exportReplica(relaySettings(origin), file)
    const fileSettings = { SIGNALBOX_UPSTREAM_PATH: file, SIGNALBOX_PUBLISHER_KEYS: publisherKey }
    await write()
    const relay = await startWith(fileSettings)
    await expect.poll(() => read(relay)).toBe(await read(origin))
    const body = { ...place.target, values: { theme: 'blue' } }
    await nodes.call(origin, `PUT ${place.org}/config-values`, body)
    // The mark of an export may be a moment older than what its server already serves.
    const exportAndRead = async () => {
      await write()
      return read(relay)
    }
    await expect.poll(exportAndRead, { timeout: 10_000 }).toContain('blue')
    await rm(directory, { recursive: true })
  })

  it('needs a key that names its environments', async () => {
    const create = nodes.call(origin, `POST ${place.org}/api-keys`, { name: 'all', kind: 'rly' })
    await expect(create).rejects.toThrow('names the environments')
  })

  it('names the settings that are missing or wrong', () => {
    const violationsOf = (variables: Record<string, string>): readonly string[] => {
      try {
        readSettings(variables)
        return []
      } catch (error) {
        return error instanceof SettingsError ? error.violations : []
      }
    }
    expect(violationsOf({ SIGNALBOX_ROLES: 'relay' })).toEqual([
      'SIGNALBOX_ROLES=relay needs SIGNALBOX_UPSTREAM_URL, SIGNALBOX_UPSTREAM_KEY, SIGNALBOX_PUBLISHER_KEYS.',
    ])
    expect(violationsOf({ SIGNALBOX_UPSTREAM_KEY: relayKey })).toEqual([
      'SIGNALBOX_UPSTREAM_KEY needs SIGNALBOX_ROLES=relay.',
    ])
    const both = { SIGNALBOX_UPSTREAM_PATH: 'a', SIGNALBOX_UPSTREAM_URL: 'https://a.example' }
    expect(violationsOf({ SIGNALBOX_ROLES: 'relay', ...both })).toEqual([
      'SIGNALBOX_UPSTREAM_PATH replaces SIGNALBOX_UPSTREAM_URL and SIGNALBOX_UPSTREAM_KEY: leave them out.',
    ])
    const relay = {
      SIGNALBOX_ROLES: 'relay,delivery',
      SIGNALBOX_UPSTREAM_URL: 'https://config.example.com/path',
      SIGNALBOX_UPSTREAM_KEY: browserKey,
      SIGNALBOX_PUBLISHER_KEYS: 'short',
    }
    const violations = violationsOf(relay)
    expect(violations).toHaveLength(4)
    expect(violations.join()).not.toContain(browserKey)
  })
})
