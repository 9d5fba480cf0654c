import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEgress, type Egress } from '../egress/create-egress.ts'
import { callProvider } from './call-provider.ts'

/** Says how a server treats a request: it answers with a status, closes the connection, or shows a page of something in between. */
type Way = number | 'close' | 'page' | keyof typeof envoyPages

const envoy = 'upstream connect error or disconnect/reset before headers.'
/** Holds what Envoy answers with 503 for a server that it cannot reach, and for one that took the request and went away. */
const envoyPages = {
  'Envoy: not reached': `${envoy} reset reason: remote connection failure, transport failure reason: delayed connect error: 111`,
  'Envoy: too much': `${envoy} reset reason: overflow`,
  'Envoy: lost': `${envoy} reset reason: connection termination`,
  'Envoy: lost twice': `${envoy} retried and the latest reset reason: remote reset`,
} as const

let server: Server
let egress: Egress
let way: Way
let arrived: number

beforeAll(async () => {
  server = createServer((request, response) => {
    arrived += 1
    if (way === 'close') request.socket.destroy()
    else if (way === 'page') response.end('<html>Sign in</html>')
    else if (typeof way === 'string') response.writeHead(503).end(envoyPages[way])
    else response.writeHead(way, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  egress = createEgress({ allow: ['127.0.0.1'] })
})
beforeEach(() => {
  arrived = 0
})
afterAll(async () => {
  await egress.close()
  await new Promise((closed) => server.close(closed))
})

const send = (request: { readonly method: 'GET' | 'POST'; readonly json?: unknown }) => {
  const { port } = server.address() as AddressInfo
  const call = { provider: 'example', egress, now: () => new Date() }
  return callProvider(call, { ...request, url: `http://127.0.0.1:${port}/` })
}
const post = () => send({ method: 'POST', json: { a: 1 } })

describe('a POST to a provider', () => {
  it.each([
    [429, 'rateLimited'],
    [500, 'ambiguous'],
    [502, 'ambiguous'],
    [503, 'unavailable'],
    ['Envoy: not reached', 'unavailable'],
    ['Envoy: too much', 'unavailable'],
    ['Envoy: lost', 'ambiguous'],
    ['Envoy: lost twice', 'ambiguous'],
    [504, 'ambiguous'],
    ['close', 'ambiguous'],
  ] as const)('that is answered with %s is sent once, and is %s', async (how, failure) => {
    way = how
    await expect(post()).rejects.toMatchObject({ failure })
    expect(arrived).toBe(1)
  })
})

it.each(['http://127.0.0.1:1/', 'http://nowhere.invalid/', 'ftp://127.0.0.1/'])(
  'a POST that gets no connection to %s was not sent',
  async (url) => {
    const reached = createEgress({ allow: ['127.0.0.1', 'nowhere.invalid'] })
    const call = { provider: 'example', egress: reached, now: () => new Date() }
    const sent = callProvider(call, { method: 'POST', url, json: {} })
    await expect(sent).rejects.toMatchObject({ failure: 'unavailable' })
    await reached.close()
  },
)

it('takes no page for the answer of a provider, whatever its status', async () => {
  way = 'page'
  await expect(send({ method: 'GET' })).rejects.toMatchObject({
    failure: 'unavailable',
    code: 'not_json',
  })
  await expect(post()).rejects.toMatchObject({ failure: 'ambiguous', code: 'not_json' })
})
