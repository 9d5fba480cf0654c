import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SettingsError, readSettings } from '../settings.ts'
import type { Service } from './service.ts'
import { openNodes, type Nodes } from './testing/open-nodes.ts'

let nodes: Nodes
let origin: Service
let place: Awaited<ReturnType<Nodes['addConfiguration']>>
let publisherKey: string
let relayKey: string
let browserKey: string

beforeAll(async () => {
  nodes = await openNodes()
  origin = await nodes.start()
  place = await nodes.addConfiguration(origin)
  const addKey = async (kind: string, restrictions = {}) => {
    const body = { name: kind, kind, ...restrictions }
    const { secret } = await nodes.call<{ secret: string }>(
      origin,
      `POST ${place.org}/api-keys`,
      body,
    )
    return secret
  }
  relayKey = await addKey('rly', { environmentIds: [place.target.environmentId] })
  browserKey = await addKey('b2m')
  const keys = await fetch(`${origin.configUrl}/.well-known/signalbox-keys`)
  publisherKey = ((await keys.json()) as { keys: [{ x: string }] }).keys[0].x
})
afterAll(() => nodes.close())

const startRelay = (upstream: Service) =>
  nodes.start('relay', {
    settings: {
      DATABASE_URL: '',
      SIGNALBOX_BOOTSTRAP_TOKEN: '',
      SIGNALBOX_ROOT_KEY: '',
      SIGNALBOX_UPSTREAM_URL: upstream.configUrl ?? '',
      SIGNALBOX_UPSTREAM_KEY: relayKey,
      SIGNALBOX_PUBLISHER_KEYS: publisherKey,
    },
  })

const read = async ({ configUrl }: Service) =>
  (await fetch(`${configUrl}${place.snapshot}?apiKey=${browserKey}`)).text()

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

  it('needs a key that names its environments', async () => {
    const create = nodes.call(origin, `POST ${place.org}/api-keys`, { name: 'all', kind: 'rly' })
    await expect(create).rejects.toThrow('names the environments')
  })

  it('names the settings that are missing or wrong', () => {
    const faultsOf = (variables: Record<string, string>): readonly string[] => {
      try {
        readSettings(variables)
        return []
      } catch (error) {
        return error instanceof SettingsError ? error.faults : []
      }
    }
    expect(faultsOf({ SIGNALBOX_ROLES: 'relay' })).toEqual([
      'SIGNALBOX_ROLES=relay needs SIGNALBOX_UPSTREAM_URL, SIGNALBOX_UPSTREAM_KEY, SIGNALBOX_PUBLISHER_KEYS.',
    ])
    expect(faultsOf({ SIGNALBOX_UPSTREAM_KEY: relayKey })).toEqual([
      'SIGNALBOX_UPSTREAM_KEY needs SIGNALBOX_ROLES=relay.',
    ])
    const relay = {
      SIGNALBOX_ROLES: 'relay,delivery',
      SIGNALBOX_UPSTREAM_URL: 'https://config.example.com/path',
      SIGNALBOX_UPSTREAM_KEY: browserKey,
      SIGNALBOX_PUBLISHER_KEYS: 'short',
    }
    const faults = faultsOf(relay)
    expect(faults).toHaveLength(4)
    expect(faults.join()).not.toContain(browserKey)
  })
})
