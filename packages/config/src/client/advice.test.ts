import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigError } from '../config-error.ts'
import { createClients } from '../testing/clients.ts'
import {
  browserKey,
  environmentId,
  schemaId,
  serverKey,
  startSnapshotServer,
  type SnapshotServer,
} from '../testing/snapshot-server.ts'
import { createConfigClient } from './node.ts'

const clients = createClients()
let server: SnapshotServer

beforeEach(async () => {
  server = await startSnapshotServer()
})

afterEach(async () => {
  clients.close()
  await server.stop()
})

const open = (options: Omit<Parameters<typeof clients.open>[0], 'serverUrl'> = {}) =>
  clients.open({ serverUrl: server.url, refresh: false, ...options })

/** The error that reads reject with. */
async function errorOf(client: ReturnType<typeof open>, key = 'apiUrl'): Promise<ConfigError> {
  const error: unknown = await client.get(key).catch((reason: unknown) => reason)
  if (error instanceof ConfigError) return error
  throw new Error('It was read', { cause: error })
}

describe('an error of a client on a server', () => {
  it.each([
    [401, 'unauthorized', '', /SIGNALBOX_TOKEN/],
    [403, 'forbidden', '', /key that may read this/],
    [
      404,
      'not_found',
      ` for /snapshots/${schemaId}/${environmentId}`,
      /schemaId and environmentId.*first push/,
    ],
    [503, 'unreachable', '', /serverUrl/],
  ])('after a %i says what the server said and what to do', async (status, code, what, hint) => {
    server.behave({ status, detail: 'The API key was revoked.' })
    expect(await errorOf(open())).toMatchObject({
      code,
      message: `${server.url} answered ${status}${what}: The API key was revoked.`,
      hint: expect.stringMatching(hint),
    })
  })

  it('after an answer that is no problem document repeats nothing of it', async () => {
    server.behave({ status: 502 })
    expect(await errorOf(open())).toMatchObject({ message: `${server.url} answered 502` })
  })

  it('names the address that does not answer, and the reason', async () => {
    await server.stop()
    const error = await errorOf(open())
    expect(error.message).toBe(`No response from ${server.url}: ECONNREFUSED`)
    expect(error.hint).toContain(server.url)
    await server.restart()
  })

  it('does not repeat what the platform says of a request, because that may show its headers', async () => {
    const fetch = () => Promise.reject(new TypeError(`"Bearer ${serverKey}" is no header value`))
    const error = await errorOf(open({ fetch }))
    expect(error.message).toBe(`No response from ${server.url}: TypeError`)
  })

  it('tells of a secret asked for with a browser key that this key reads none', async () => {
    expect(await errorOf(open({ token: browserKey }), 'stripeKey')).toMatchObject({
      code: 'unknown_key',
      hint: expect.stringContaining("browser key (sbx_b2m_…) can't read secrets"),
    })
    expect((await errorOf(open(), 'unheardOf')).hint).toContain('signalbox set')
  })

  it('for another snapshot than the one asked for asks what stands in between', async () => {
    server.publish({ schemaId: schemaId.replace('sch_01', 'sch_02') })
    expect(await errorOf(open())).toMatchObject({
      code: 'invalid',
      hint: expect.stringContaining(server.url),
    })
  })

  it('written out whole has the name of the documents, and shows neither token nor secret', async () => {
    const errors: unknown[] = []
    const client = open({ onError: (error) => errors.push(error) })
    await client.ready()
    errors.push(await errorOf(client, 'unheardOf'))
    await server.stop()
    await client.refresh()
    await server.restart()
    server.behave({ status: 401, detail: 'The credential has expired.' })
    await client.refresh()
    expect(errors).toHaveLength(3)
    for (const error of errors) {
      expect(inspect(error)).toMatch(/^ConfigError: /)
      expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/sbx_m2m_b|canary/)
    }
  })
})

describe('a client on a server is refused', () => {
  const location = { serverUrl: 'http://127.0.0.1:4401', token: serverKey, schemaId, environmentId }

  it.each([
    ['serverUrl', '', 'is empty', 'SIGNALBOX_CONFIG_URL'],
    ['serverUrl', '127.0.0.1:4401', 'is not a URL', 'SIGNALBOX_CONFIG_URL'],
    ['serverUrl', 'http://me:secret@config.example', 'is not a URL', 'SIGNALBOX_CONFIG_URL'],
    ['token', '', 'is empty', 'SIGNALBOX_TOKEN'],
    ['token', undefined, 'is empty', 'SIGNALBOX_TOKEN'],
    ['token', 'sbx_m2m_…', 'is not a whole key', 'SIGNALBOX_TOKEN'],
    ['token', `${serverKey}\n`, 'is not a whole key', 'SIGNALBOX_TOKEN'],
    ['schemaId', '', 'is empty', 'SIGNALBOX_SCHEMA_ID'],
    ['schemaId', 'node-service', 'is not an id', 'SIGNALBOX_SCHEMA_ID'],
    ['environmentId', 'development', 'is not an id', 'SIGNALBOX_ENVIRONMENT_ID'],
    ['environmentId', schemaId, 'is not an id', 'SIGNALBOX_ENVIRONMENT_ID'],
  ])('with %s %j before anything is asked', (option, value, violation, variable) => {
    let asked = 0
    const fetch = () => {
      asked += 1
      return Promise.reject(new Error('asked'))
    }
    let error: unknown
    try {
      createConfigClient({ ...location, fetch, [option]: value })
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(ConfigError)
    expect(error).toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(`The option ${option} ${violation}`),
      hint: expect.stringContaining(variable),
    })
    expect(inspect(error)).not.toMatch(/sbx_m2m_b|:secret@/)
    expect(asked).toBe(0)
  })

  it('is not refused with an access token, which has another form than a key', () => {
    const token = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJrZXkifQ.c2ln'
    const fetch = () => Promise.reject(new Error('gone'))
    const client = createConfigClient({ ...location, token, fetch })
    client.close()
    expect(client.status.source).toBe('default')
  })
})
