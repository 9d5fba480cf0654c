import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import {
  createPretendWorkspace,
  type PretendAnswer,
  type PretendWorkspace,
} from './pretend-workspace.ts'

/** Pretends to be Example Chat, on an address of its own. */
export interface PretendChat extends Pick<PretendWorkspace, 'channels' | 'messages'> {
  readonly url: string
  /** Signs with another key from now on, and publishes it with `publishes`. */
  readonly replaceKey: (publishes: boolean) => void
  /** Sends a signed webhook about a channel. */
  readonly notify: (url: string, event: string, channel: string) => Promise<Response>
  readonly close: () => Promise<void>
}

/** Holds the application of this server at Example Chat. */
export const exampleClient = {
  clientId: 'signalbox',
  clientSecret: 'client-secret-of-example-chat',
} as const

const accessToken = 'an access token of example chat'
const bodyOf = z.record(z.string(), z.string())

/** Starts the pretended chat with one workspace, `W1`. */
export async function startPretendChat(): Promise<PretendChat> {
  const { channels, messages, ...workspace } = createPretendWorkspace()
  const oauth = createPretendOAuth()
  const makeKeys = () => generateKeyPairSync('ed25519')
  let published = makeKeys()
  let signing = published
  const answer = async (request: IncomingMessage): Promise<PretendAnswer> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://pretend')
    const sent = await text(request)
    const [, root, ...path] = pathname.split('/')
    if (root === 'authorize') return oauth.authorize(searchParams)
    if (root === 'keys') {
      const { x = '' } = published.publicKey.export({ format: 'jwk' })
      return { status: 200, json: { keys: [Buffer.from(x, 'base64url').toString('hex')] } }
    }
    if (root === 'token') return oauth.grant(new URLSearchParams(sent))
    if (request.headers.authorization !== `Bearer ${accessToken}`) return { status: 401 }
    const body = sent === '' ? {} : bodyOf.parse(JSON.parse(sent))
    return workspace.answer(request.method ?? 'GET', path, body)
  }
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { status, json = {}, location } = await answer(request)
    const moved = location === undefined ? {} : { location }
    response.writeHead(status, { 'content-type': 'application/json', ...moved })
    response.end(JSON.stringify(json))
  }
  const server = createServer((request, response) => {
    void respond(request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server has an address with a port
  const { port } = server.address() as AddressInfo
  let notices = 0
  return {
    url: `http://127.0.0.1:${port}`,
    channels,
    messages,
    replaceKey(publishes) {
      signing = makeKeys()
      if (publishes) published = signing
    },
    notify(url, event, channel) {
      const body = JSON.stringify({ id: `n${(notices += 1)}`, workspace: 'W1', event, channel })
      const signature = sign(null, Buffer.from(body), signing.privateKey).toString('hex')
      const headers = { 'content-type': 'application/json', 'x-example-signature': signature }
      return fetch(url, { method: 'POST', headers, body })
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Creates OAuth 2.0 with a code challenge, by which nobody is asked. */
function createPretendOAuth() {
  const challenges = new Map<string, string>()
  return {
    authorize(query: URLSearchParams): PretendAnswer {
      const code = `code${challenges.size + 1}`
      challenges.set(code, query.get('code_challenge') ?? '')
      const back = new URLSearchParams({ code, state: query.get('state') ?? '' })
      return { status: 302, location: `${query.get('redirect_uri')}?${back}` }
    },
    grant(form: URLSearchParams): PretendAnswer {
      const code = form.get('code') ?? ''
      const digest = createHash('sha256').update(form.get('code_verifier') ?? '')
      const isAsked = challenges.get(code) === digest.digest('base64url')
      challenges.delete(code)
      if (!isAsked || form.get('client_secret') !== exampleClient.clientSecret) {
        return { status: 400, json: { error: 'invalid_grant' } }
      }
      const workspace = { id: 'W1', name: 'Acme talks' }
      const json = { access_token: accessToken, token_type: 'bearer', workspace }
      return { status: 200, json }
    },
  }
}
