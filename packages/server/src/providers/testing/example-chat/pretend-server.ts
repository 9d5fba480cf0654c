import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { z } from 'zod'
import { notFound, startPretendServer, type PretendAnswer } from '../pretend-server.ts'
import { createPretendWorkspace, type PretendWorkspace } from './pretend-workspace.ts'

/** Pretends to be Example Chat, on an address of its own. */
export interface PretendChat extends Pick<PretendWorkspace, 'channels' | 'messages'> {
  readonly url: string
  /** Holds the address of the workspace’s API, which only its webhooks contain. */
  readonly apiUrl: string
  /** Signs with another key from now on, and publishes it with `publishes`. */
  readonly replaceKey: (publishes: boolean) => void
  /** Sends a signed webhook about a channel or an address. */
  readonly notify: (url: string, event: string, about: string) => Promise<Response>
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
  const front = await startPretendServer(({ path: [root], query, body }) => {
    if (root === 'authorize') return oauth.authorize(query)
    if (root === 'token') return oauth.grant(new URLSearchParams(body))
    if (root !== 'keys') return notFound
    const { x = '' } = published.publicKey.export({ format: 'jwk' })
    return { status: 200, json: { keys: [Buffer.from(x, 'base64url').toString('hex')] } }
  })
  const api = await startPretendServer(({ method, path, authorization, body }) => {
    if (authorization !== `Bearer ${accessToken}`) return { status: 401 }
    return workspace.answer(method, path, body === '' ? {} : bodyOf.parse(JSON.parse(body)))
  })
  let notices = 0
  return {
    url: front.url,
    apiUrl: api.url,
    channels,
    messages,
    replaceKey(publishes) {
      signing = makeKeys()
      if (publishes) published = signing
    },
    notify(url, event, about) {
      const body = JSON.stringify({ id: `n${(notices += 1)}`, workspace: 'W1', event, about })
      const signature = sign(null, Buffer.from(body), signing.privateKey).toString('hex')
      const headers = { 'content-type': 'application/json', 'x-example-signature': signature }
      return fetch(url, { method: 'POST', headers, body })
    },
    async close() {
      await Promise.all([front.close(), api.close()])
    },
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
