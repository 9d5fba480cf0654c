import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { limits, type Targeting } from '@signalbox/contract'
import { ConfigError } from '../config-error.ts'
import { nearNames } from './near-names.ts'
import { createConfigClient as createPortableClient } from './portable.ts'
import { createClients } from '../testing/clients.ts'
import {
  browserKey,
  environmentId,
  schemaId,
  serverKey,
  startSnapshotServer,
  type SnapshotServer,
} from '../testing/snapshot-server.ts'

vi.mock('./near-names.ts', { spy: true })

const clients = createClients()
let server: SnapshotServer

const forPro = [{ attribute: 'plan', operator: 'equals', value: 'pro' }] as const
const targeting: Readonly<Record<string, Targeting>> = {
  pageSize: { rules: [{ when: forPro, serve: { value: 100 } }] },
  newCheckout: {
    rules: [{ when: forPro, serve: { variant: 'green' } }],
    variants: [
      { name: 'control', on: false },
      { name: 'blue', on: true },
      { name: 'green', on: true },
    ],
  },
}

beforeEach(async () => {
  server = await startSnapshotServer({ targeting })
  // The shortest of every jittered wait.
  vi.spyOn(Math, 'random').mockReturnValue(0)
})

afterEach(async () => {
  vi.restoreAllMocks()
  vi.clearAllMocks()
  clients.close()
  await server.stop()
})

const open = (options: Omit<Parameters<typeof clients.open>[0], 'serverUrl'> = {}) =>
  clients.open({ serverUrl: server.url, ...options })

const openPortable = () => {
  const options = { serverUrl: server.url, token: serverKey, schemaId, environmentId }
  return createPortableClient({ ...options, onError: () => {} })
}

describe.each([
  ['Node', open],
  ['workers', openPortable],
])('the client of %s', (_, openIt) => {
  it('decides values and variants in the process, for the context that is given', async () => {
    const client = openIt()
    expect(await client.value('pageSize', { plan: 'pro' })).toBe(100)
    expect(await client.value('pageSize', { plan: 'free' })).toBe(20)
    expect(await client.value('pageSize')).toBe(20)
    expect(await client.get('pageSize')).toBe(20)
    expect(await client.value('apiUrl', { plan: 'pro' })).toBe('https://a.example')
    expect(await client.variant('newCheckout', { plan: 'pro' })).toBe('green')
    expect(await client.variant('newCheckout')).toBe('control')
    expect(await client.flag('newCheckout', { plan: 'pro' })).toBe(true)
    expect(client.snapshot().value('pageSize', { plan: 'pro' })).toBe(100)
    expect(client.snapshot().variant('newCheckout', { plan: 'pro' })).toBe('green')
    client.close()
    expect(server.asked()).toBe(1)
  })
})

describe('a key that nothing is known of', () => {
  it('rejects as get does, with similar names and advice', async () => {
    const client = open()
    const error: unknown = await client.value('pageSiez').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ConfigError)
    expect(error).toMatchObject({
      code: 'unknown_key',
      message: 'No value for pageSiez, near pageSize',
      hint: expect.stringContaining('signalbox.config.ts'),
    })
    expect(() => client.snapshot().value('pageSiez')).toThrow('near pageSize')
  })

  it('has no variant, and is reported once as no flag', async () => {
    const errors: unknown[] = []
    const client = open({ onError: (error) => errors.push(error) })
    for (const key of ['nothing', 'nothing', 'pageSize']) {
      expect(await client.variant(key, { plan: 'pro' })).toBeUndefined()
    }
    await expect.poll(() => errors).toHaveLength(2)
    expect(errors).toMatchObject([{ code: 'unknown_key' }, { message: 'pageSize is not a flag' }])
  })

  it('takes no place of the flags for good, however many names are asked for', async () => {
    const client = open()
    await client.ready()
    const snapshot = client.snapshot()
    const searches = () => vi.mocked(nearNames).mock.calls.length
    snapshot.flag('first')
    const before = searches()
    snapshot.flag('first')
    expect(searches()).toBe(before)
    for (let name = 0; name < limits.keysPerSchema; name += 1) snapshot.flag(`visitor-${name}`)
    const after = searches()
    // It was forgotten, and is prepared again.
    snapshot.flag('first')
    expect(searches()).toBeGreaterThan(after)
    const known = searches()
    snapshot.flag('first')
    expect(searches()).toBe(known)
    expect(snapshot.flag('newCheckout', { plan: 'pro' })).toBe(true)
  })
})

describe('rules of a targeted key', () => {
  it('call the subscribers of that key when they alone change', async () => {
    const client = open()
    await client.ready()
    const heard: string[] = []
    const note = (name: string) => (snapshot: ReturnType<typeof client.snapshot>) =>
      heard.push(`${name} ${Number(snapshot.value('pageSize', { plan: 'free' }))}`)
    client.subscribe(note('all'))
    client.subscribe(note('value'), ['pageSize'])
    client.subscribe(note('other'), ['apiUrl', 'newCheckout'])
    const rules = [{ when: [], serve: { value: 30 } }]
    server.publish({ targeting: { ...targeting, pageSize: { rules } } })
    await expect.poll(() => heard).toEqual(['all 30', 'value 30'])
  })

  it('are in nothing that a snapshot is written as', async () => {
    const client = open()
    await client.ready()
    const snapshot = client.snapshot()
    expect(snapshot).toBe(client.snapshot())
    expect(JSON.stringify(snapshot)).not.toMatch(/pro|plan|targeting|green/)
    expect(Object.keys(snapshot)).not.toContain('targeting')
  })

  it('of a server that sends none leave every key its value', async () => {
    server.publish({ targeting: undefined })
    const client = open()
    expect(await client.value('pageSize', { plan: 'pro' })).toBe(20)
    expect(await client.variant('newCheckout', { plan: 'pro' })).toBeUndefined()
  })

  it('are not there for a browser key, which reads the value', async () => {
    const client = open({ token: browserKey })
    expect(await client.value('pageSize', { plan: 'pro' })).toBe(20)
  })
})

describe('a value outside of its range', () => {
  const ranges = { pageSize: { min: 1, max: 50 }, apiUrl: { min: 1, max: 2 } }

  it('is the nearest number of the range, and that is said once, with advice', async () => {
    const errors: unknown[] = []
    const client = open({ limits: ranges, onError: (error) => errors.push(error) })
    for (let time = 0; time < 3; time += 1) {
      expect(await client.value('pageSize', { plan: 'pro' })).toBe(50)
      expect(client.snapshot().value('pageSize', { plan: 'pro' })).toBe(50)
    }
    expect(await client.value('pageSize')).toBe(20)
    await expect.poll(() => errors).toHaveLength(1)
    expect(errors).toMatchObject([
      {
        code: 'out_of_range',
        message: 'pageSize is outside of 1 to 50, so the client returns the nearest number',
        hint: expect.stringContaining('signalbox push'),
      },
    ])
    expect(errors[0]).toBeInstanceOf(ConfigError)
  })

  it('is clamped where no rule decides as well, and the snapshot keeps what the server sent', async () => {
    server.publish({ public: { apiUrl: 'https://a.example', pageSize: -5 } })
    const client = open({ limits: ranges })
    expect(await client.get('pageSize')).toBe(1)
    expect(client.snapshot().get('pageSize')).toBe(1)
    expect(client.snapshot().public).toMatchObject({ pageSize: -5 })
    expect(await client.get('apiUrl')).toBe('https://a.example')
  })

  it('is served as it is without a range', async () => {
    expect(await open().value('pageSize', { plan: 'pro' })).toBe(100)
  })

  it('never rejects because of the error handler of the program', async () => {
    const onError = () => {
      throw new Error('of the program')
    }
    const client = open({ limits: ranges, onError })
    expect(await client.value('pageSize', { plan: 'pro' })).toBe(50)
  })
})
