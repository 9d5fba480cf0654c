import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Problem } from '@signalbox/contract'
import { exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createEgress } from '../../egress/create-egress.ts'
import { gitlabPipelineTokens } from '../../providers/gitlab/pipeline-tokens.ts'
import { createPipelineTokens, type PipelineTokens } from './verify-pipeline-token.ts'

const audience = 'https://signalbox.example.com'
const egress = createEgress({ allow: ['127.0.0.1'] })
const claims = { project_id: '42', pipeline_id: '9001', pipeline_source: 'api' }

let server: Server
let origin: string
let first: Awaited<ReturnType<typeof newKey>>
let second: typeof first
let tokens: PipelineTokens
let clock: Date
/** Holds the answers of the issuer. */
let served: { status: number; issuer: string; jwksUri: string; keys: JWK[] }
let asked: string[]

async function newKey(kid: string) {
  const pair = await generateKeyPair('RS256', { extractable: true })
  return { kid, privateKey: pair.privateKey, jwk: { ...(await exportJWK(pair.publicKey)), kid } }
}

beforeAll(async () => {
  first = await newKey('k1')
  second = await newKey('k2')
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const { status, issuer, jwksUri, keys } = served
    const isDiscovery = request.url === '/.well-known/openid-configuration'
    const body = isDiscovery ? { issuer, jwks_uri: jwksUri } : { keys }
    response.writeHead(isDiscovery ? status : 200).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  clock = new Date()
  asked = []
  const jwksUri = `${origin}/oauth/discovery/keys`
  served = { status: 200, issuer: origin, jwksUri, keys: [first.jwk] }
  tokens = createPipelineTokens({
    issuers: [gitlabPipelineTokens('gitlab', origin)],
    audience: () => audience,
    egress,
    now: () => clock,
  })
})
afterEach(() => void vi.useRealTimers())
afterAll(async () => {
  await egress.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function pass(ms: number): void {
  clock = new Date(clock.getTime() + ms)
  vi.setSystemTime(clock)
}

const sign = (by = first, aud: string | string[] = audience, more: object = {}) =>
  new SignJWT({ ...claims, ...more })
    .setProtectedHeader({ alg: 'RS256', kid: by.kid })
    .setIssuer(origin)
    .setAudience(aud)
    .setIssuedAt(clock)
    .setExpirationTime(new Date(clock.getTime() + 300_000))
    .sign(by.privateKey)

const outcome = (token: string) =>
  tokens.verify(token).then(
    ({ runId }) => runId,
    (error: unknown) => (error instanceof Problem ? error.code : String(error)),
  )

describe('the keys of an issuer with a discovery document', () => {
  it('are found once for many tokens', async () => {
    const given = await Promise.all(Array.from({ length: 50 }, () => sign()))
    const outcomes = await Promise.all(given.map(outcome))
    expect(new Set(outcomes)).toEqual(new Set(['9001']))
    expect(asked).toEqual(['/.well-known/openid-configuration', '/oauth/discovery/keys'])
  })

  it('are read again when the issuer has exchanged them, and not for every unknown one', async () => {
    expect(await outcome(await sign())).toBe('9001')
    served.keys = [second.jwk]
    pass(60_000)
    expect(await outcome(await sign(second))).toBe('9001')
    const before = asked.length
    const unknown = await newKey('k3')
    for (let n = 0; n < 5; n++)
      expect(await outcome(await sign(unknown))).toBe('invalid_credentials')
    expect(asked.length).toBe(before)
    expect(await outcome(await sign(first))).toBe('invalid_credentials')
  })

  it('are those of another address once the document says so', async () => {
    expect(await outcome(await sign())).toBe('9001')
    served = { ...served, jwksUri: `${origin}/keys`, keys: [second.jwk] }
    pass(61 * 60_000)
    expect(await outcome(await sign(second))).toBe('9001')
    expect(asked.at(-1)).toBe('/keys')
  })

  it.each([
    ['of another issuer', { issuer: 'https://gitlab.com' }],
    ['that leads to another host', { jwksUri: 'http://127.0.0.2:1/keys' }],
    ['that leads to no address', { jwksUri: 'file:///etc/keys' }],
    ['that is not there', { status: 404 }],
    ['that leads elsewhere', { status: 302 }],
  ])(
    'are not believed from a document %s, which is not asked for without end',
    async (_, change) => {
      served = { ...served, ...change }
      const token = await sign()
      for (let n = 0; n < 5; n++) expect(await outcome(token)).toBe('provider_error')
      expect(asked).toEqual(['/.well-known/openid-configuration'])
      pass(11_000)
      Object.assign(served, { status: 200, issuer: origin, jwksUri: `${origin}/keys` })
      expect(await outcome(await sign())).toBe('9001')
    },
  )
})

describe('the token of a pipeline', () => {
  it('is refused when it is good elsewhere too', async () => {
    expect(await outcome(await sign(first, [audience]))).toBe('9001')
    expect(await outcome(await sign(first, [audience, 'https://other.example.com']))).toBe(
      'invalid_credentials',
    )
  })

  it('is refused when it is genuine and of a merge request, and says so', async () => {
    const token = await sign(first, audience, { pipeline_source: 'merge_request_event' })
    await expect(tokens.verify(token)).rejects.toMatchObject({
      code: 'invalid_credentials',
      message: expect.stringContaining('merge request'),
    })
  })
})
