import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConnected, type Connected } from './testing/open-connected.ts'

let service: Connected
/** Of a node that nobody has asked anything yet. */
let apiUrl: string
beforeAll(async () => {
  service = await openConnected()
  apiUrl = await service.addNode()
})
afterAll(() => service.close())

/** Holds headers by which a proxy, or an attacker, names another host. The server must ignore them. */
const hostile = {
  host: 'evil.example',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'gopher',
  'x-forwarded-port': '666',
  'x-forwarded-prefix': '/evil',
  'x-original-url': '/evil',
  forwarded: 'for=192.0.2.1;host=evil.example;proto=gopher',
  referer: 'https://evil.example/',
}

async function ask(name: string, headers: Readonly<Record<string, string>>) {
  const [method = '', path = ''] = name.split(' ')
  const { hostname, port, origin } = new URL(apiUrl)
  const sent = request({ hostname, port, method, path, agent: false })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject)
  })
  const more = { cookie: service.session, origin, 'x-requested-by': 'signalbox', ...headers }
  for (const [header, value] of Object.entries(more)) sent.setHeader(header, value)
  if (method === 'POST') sent.setHeader('content-type', 'application/json')
  sent.end(method === 'POST' ? JSON.stringify(bodies[path] ?? invited) : undefined)
  const answer = await answered
  const { statusCode: status, headers: received } = answer
  return { status, location: received.location, body: await text(answer) }
}

const invited = { email: 'grace@example.com', role: 'viewer' }
const bodies: Readonly<Record<string, object>> = {
  '/oauth/device_authorization': { client_id: 'signalbox-cli' },
}

/** Returns the origins in a response, without paths and tokens, which differ each time. */
const addressesIn = (body: string) =>
  new Set([...body.matchAll(/(?:https?|gopher):\/\/[\w.:[\]-]+/g)].map(([address]) => address))

describe('the address of this server', () => {
  it('is what the settings say, whatever host a request names, the first one included (GHSA-569q-mpph-wgww, GHSA-444r-cwp2-x5xf)', async () => {
    const requests = [
      'GET /openapi.json',
      'GET /llms.txt',
      'GET /login',
      `GET /organizations/${service.orgId}/integrations/codehost/oauth/authorize`,
      'GET /integrations/codehost/oauth/callback?installation_id=1',
      'POST /oauth/device_authorization',
      `POST /organizations/${service.orgId}/invitations`,
      'GET /nowhere',
    ]
    const seen = []
    for (const name of requests) {
      const { status, location, body } = await ask(name, hostile)
      seen.push([name, status, location, addressesIn(body)])
      expect([name, body.includes('evil')]).toEqual([name, false])
    }
    const own = []
    for (const name of requests) {
      const { status, location, body } = await ask(name, {})
      const again = name.endsWith('/invitations') ? 201 : status
      own.push([name, again, location, addressesIn(body)])
    }
    expect(seen).toEqual(own)
  })
})
