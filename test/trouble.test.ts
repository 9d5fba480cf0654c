import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openService, type OpenService } from './testing/open-service.ts'

let service: OpenService

beforeAll(async () => {
  service = await openService()
  await service.database.asOwner(`
    create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'no' using errcode = tg_argv[0]; end $$;
    create function linger() returns trigger language plpgsql as $$
    begin perform pg_sleep(3); return new; end $$`)
})
afterAll(() => service?.remove())

interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: {
    readonly code?: string
    readonly id?: string
    readonly secret?: string
  }
}

async function call(
  request: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const [method = '', path = ''] = request.split(' ')
  const answer = await fetch(`${service.apiUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${service.bootstrapToken}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) }
}

let written = 0

function write(headers: Readonly<Record<string, string>> = {}, name = `Acme ${++written}`) {
  return call('POST /organizations', { name }, headers)
}

/** Has the database do something else than store an organization, until `work` is done. */
async function whenStoring<T>(trigger: string, work: () => Promise<T>): Promise<T> {
  await service.database.asOwner(
    `create trigger trouble before insert on organizations for each row execute function ${trigger}`,
  )
  try {
    return await work()
  } finally {
    await service.database.asOwner('drop trigger trouble on organizations')
  }
}

describe('a write while the database is in trouble', () => {
  it('is refused with 507 when the disk is full', async () => {
    const answer = await whenStoring(`refuse('53100')`, write)
    expect(answer).toMatchObject({ status: 507, body: { code: 'storage_full' } })
  })

  it.each([
    ['only reads', '25006', 'read_only'],
    ['goes away', '57P01', 'db_unavailable'],
  ])('is refused with 503 when the database %s, with when to come back', async (_, state, code) => {
    const answer = await whenStoring(`refuse('${state}')`, write)
    expect(answer).toMatchObject({ status: 503, body: { code } })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('control: is stored when there is none', async () => {
    expect(await write()).toMatchObject({ status: 201 })
  })
})

describe('two requests with one Idempotency-Key at once', () => {
  it('have one of them do the work, and the other come back for its answer', async () => {
    const key = { 'idempotency-key': 'the-same' }
    const same = () => write(key, 'Same')
    const answers = await whenStoring('linger()', () => Promise.all([same(), same()]))
    const [first, second] = answers.toSorted((a, b) => a.status - b.status)
    expect(first?.status).toBe(201)
    expect(second).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } })
    expect(Number(second?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await same()).toMatchObject({ status: 201, body: { id: first?.body.id } })
  })
})

describe('a service that stops', () => {
  it('finishes what it accepted, and sends who asks for a stream to another node', async () => {
    const stream = await prepareStream()
    await whenStoring('linger()', async () => {
      const connection = await connectTo(stream)
      const accepted = write()
      // A response after the others have connected proves that all connections were accepted.
      await fetch(service.configUrl)
      await call('GET /healthz')
      const closed = service.close()
      expect(await connection.ask()).toMatch(/^HTTP\/1.1 503 [^]*"code":"draining"/)
      expect(await accepted).toMatchObject({ status: 201 })
      await closed
    })
  })
})

/** A connection that has said nothing yet. */
async function connectTo(address: string) {
  const { hostname, port, pathname, search, host } = new URL(address)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  return {
    async ask(): Promise<string> {
      socket.write(
        `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      )
      return text(socket)
    },
  }
}

/** The address of a stream that may be opened. */
async function prepareStream(): Promise<string> {
  const { id: orgId } = (await write()).body
  const environment = { name: 'production' }
  const { id: environmentId } = (
    await call(`POST /organizations/${orgId}/environments`, environment)
  ).body
  const schema = { name: 'web', schema: { shout: { type: 'boolean', default: false } } }
  const { id: schemaId } = (await call(`POST /organizations/${orgId}/config-schemas`, schema)).body
  const key = { name: 'browser', kind: 'b2m' }
  const { secret } = (await call(`POST /organizations/${orgId}/api-keys`, key)).body
  const path = `/snapshots/${schemaId}/${environmentId}`
  await expect
    .poll(async () => (await fetch(`${service.configUrl}${path}?apiKey=${secret}`)).status)
    .toBe(200)
  return `${service.configUrl}${path}/stream?apiKey=${secret}`
}
