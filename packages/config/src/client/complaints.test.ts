import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClients } from '../testing/clients.ts'
import { serverKey, startSnapshotServer, type SnapshotServer } from '../testing/snapshot-server.ts'

const clients = createClients()
let server: SnapshotServer
let lines: string[]

beforeEach(async () => {
  server = await startSnapshotServer()
  lines = []
  vi.spyOn(console, 'error').mockImplementation((...words) => void lines.push(words.join(' ')))
})

afterEach(async () => {
  vi.restoreAllMocks()
  clients.close()
  await server.stop()
})

/** Opens a client as a program does that passes no `onError`. */
const open = (options: Omit<Parameters<typeof clients.open>[0], 'serverUrl'> = {}) =>
  clients.open({ serverUrl: server.url, refresh: false, onError: undefined, ...options })

describe('a client on a server without onError', () => {
  it('says once on stderr that its key is refused, with the remedy and without the key', async () => {
    const token = `sbx_m2m_${'c'.repeat(46)}`
    const client = open({ token })
    expect(await client.flag('newCheckout')).toBe(false)
    await client.refresh()
    await client.refresh()
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^Signalbox: .* answered 401\..*SIGNALBOX_TOKEN.*$/)
    expect(lines[0]).not.toContain(token)
  })

  it('says each change of its state on a line of its own, the recovery too', async () => {
    const client = open()
    await client.ready()
    expect(lines).toEqual([])
    for (const status of [401, 401, 403, 503]) {
      server.behave({ status })
      await client.refresh()
    }
    server.behave('well')
    await client.refresh()
    await client.refresh()
    expect(lines).toEqual([
      expect.stringContaining('answered 401'),
      expect.stringContaining('answered 403'),
      expect.stringContaining('answered 503'),
      `Signalbox: ${server.url} responds again.`,
    ])
  })

  it('keeps words of the server on one line, and the key out of them', async () => {
    server.behave({ status: 401, detail: `Unknown:\n\u{1b}[2J${serverKey}` })
    await open().ready()
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toMatch(/\p{Cc}/u)
    expect(lines[0]).not.toContain(serverKey)
  })

  it('warns once of each flag that does not exist, and of a key that is no flag', async () => {
    const client = open({ defaults: { beta: false } })
    for (const key of ['newChekout', 'newChekout', 'apiUrl', 'newCheckout', 'beta']) {
      expect([key, await client.flag(key)]).toEqual([key, false])
    }
    expect(client.snapshot().flag('newChekout', { targetingKey: 'anna' })).toBe(false)
    server.publish({ public: { pageSize: 1 } })
    await client.refresh()
    await client.flag('newChekout')
    expect(lines).toEqual([
      expect.stringMatching(/^Signalbox: No value for newChekout, near newCheckout\. .*signalbox/),
      expect.stringMatching(/^Signalbox: apiUrl is not a flag\. /),
    ])
  })

  it('warns once of a value outside of its range, which is no state of the client', async () => {
    const client = open({ limits: { pageSize: { min: 1, max: 9 } } })
    for (const time of [1, 2]) {
      expect([time, await client.get('pageSize')]).toEqual([time, 9])
      server.publish({ public: { pageSize: 20 + time } })
      await client.refresh()
    }
    expect(lines).toEqual([
      expect.stringMatching(/^Signalbox: pageSize is outside of 1 to 9, .*number\. Correct .*push/),
    ])
  })

  it('says nothing of a flag before anything was fetched, and nothing after close', async () => {
    server.behave('hang')
    const client = open()
    expect(client.snapshot().flag('newCheckout')).toBe(false)
    client.close()
    await client.refresh()
    expect(lines).toEqual([])
  })

  it('says what a subscriber throws', async () => {
    const client = open()
    await client.ready()
    client.subscribe(() => {
      throw new Error('of the app')
    })
    server.publish({ public: { pageSize: 1 } })
    await client.refresh()
    await expect.poll(() => lines).toEqual(['Signalbox: Error: of the app'])
  })
})

describe('a client on a server with onError', () => {
  it('gives it the unknown flag, and writes nothing itself', async () => {
    const errors: unknown[] = []
    const client = open({ onError: (error) => errors.push(error) })
    await client.flag('newChekout')
    await client.flag('newChekout')
    server.behave({ status: 401 })
    await client.refresh()
    expect(errors).toMatchObject([{ code: 'unknown_key' }, { code: 'unauthorized' }])
    expect(lines).toEqual([])
  })

  it('is disturbed by nothing that onError throws', async () => {
    const client = open({
      onError: () => {
        throw new Error('of the app')
      },
    })
    expect(await client.flag('newChekout')).toBe(false)
  })
})
