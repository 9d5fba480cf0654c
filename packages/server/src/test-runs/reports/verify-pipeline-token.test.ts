import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Problem } from '@signalbox/contract'
import { exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEgress } from '../../egress/create-egress.ts'
import { githubPipelineTokens } from '../../providers/github/pipeline-tokens.ts'
import { createPipelineTokens, type PipelineTokens } from './verify-pipeline-token.ts'

const issuer = 'https://token.actions.example.com'
const audience = 'https://signalbox.example.com'
const egress = createEgress({ allow: ['127.0.0.1'] })
const claims = { repository_id: '42', run_id: '9001', run_attempt: '1' }

let server: Server
let keys: Awaited<ReturnType<typeof generateKeyPair>>
let tokens: PipelineTokens
let jwksUrl: string

beforeAll(async () => {
  keys = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k1', use: 'sig' }
  server = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`
  tokens = open(jwksUrl)
})
afterAll(async () => {
  await egress.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function open(jwksUrl: string): PipelineTokens {
  return createPipelineTokens({
    issuers: [{ ...githubPipelineTokens('https://github.com'), issuer, jwksUrl }],
    audience: () => audience,
    egress,
    now: () => new Date(),
  })
}

interface Changes {
  readonly issuer?: string
  readonly audience?: string
  readonly expires?: string
  readonly claims?: object
  readonly key?: CryptoKey
}

function token(changes: Changes = {}): Promise<string> {
  return new SignJWT({ ...claims, ...changes.claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
    .setIssuer(changes.issuer ?? issuer)
    .setAudience(changes.audience ?? audience)
    .setIssuedAt()
    .setExpirationTime(changes.expires ?? '5m')
    .sign(changes.key ?? keys.privateKey)
}

/** The code that a token is refused with. */
const rejection = (given: string) =>
  tokens.verify(given).then(
    () => 'taken',
    (error: unknown) => (error instanceof Problem ? error.code : 'not a problem'),
  )

describe("a pipeline's token", () => {
  it('names its repository, run and attempt', async () => {
    expect(await tokens.verify(await token())).toEqual({
      repositoryExternalId: '42',
      runId: '9001',
      attempt: 1,
      provider: 'github',
    })
  })

  it('is refused from another issuer, for another audience, without its claims', async () => {
    expect(await rejection(await token({ issuer: 'https://evil.example.com' }))).toBe(
      'invalid_credentials',
    )
    expect(await rejection(await token({ audience: 'https://other.example.com' }))).toBe(
      'invalid_credentials',
    )
    expect(await rejection(await token({ claims: { run_id: 9001 } }))).toBe('invalid_credentials')
    expect(await rejection(await token({ claims: { run_attempt: '0' } }))).toBe(
      'invalid_credentials',
    )
    expect(await rejection(await token({ claims: { repository_id: '' } }))).toBe(
      'invalid_credentials',
    )
  })

  it('is refused when it has expired', async () => {
    const expired = tokens.verify(await token({ expires: '-5m' }))
    await expect(expired).rejects.toMatchObject({ code: 'expired_credentials' })
  })

  it('is refused with the signature of another key, or a changed body', async () => {
    const { privateKey } = await generateKeyPair('RS256')
    expect(await rejection(await token({ key: privateKey }))).toBe('invalid_credentials')
    const [head = '', , signature = ''] = (await token()).split('.')
    const body = { ...claims, iss: issuer, aud: audience, iat: 1, exp: 9_999_999_999 }
    expect(
      await rejection(
        `${head}.${Buffer.from(JSON.stringify(body)).toString('base64url')}.${signature}`,
      ),
    ).toBe('invalid_credentials')
  })

  it('is refused unsigned (RFC 8725 §3.1)', async () => {
    const unsigned = new UnsecuredJWT({ ...claims })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('5m')
    expect(await rejection(unsigned.encode())).toBe('invalid_credentials')
  })

  it('is refused when the public key was used as a shared secret (RFC 8725 §2.1)', async () => {
    const { publicKey } = keys
    const secret = Buffer.from(await exportSPKI(publicKey))
    const confused = new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('5m')
    expect(await rejection(await confused.sign(secret))).toBe('invalid_credentials')
  })

  it('is refused under an algorithm that its issuer does not use, although the key would fit', async () => {
    const key = await importJWK(await exportJWK(keys.privateKey), 'PS256')
    const other = new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'PS256', kid: 'k1' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('5m')
    expect(await rejection(await other.sign(key))).toBe('invalid_credentials')
  })

  it('is not refused for good when the keys cannot be fetched', async () => {
    const unreachable = open('http://127.0.0.1:1/jwks').verify(await token())
    await expect(unreachable).rejects.toMatchObject({ code: 'provider_error' })
  })

  it('is told from other bearers by whom it says it is of, and from nothing else', async () => {
    expect(tokens.isOurs(await token())).toBe(true)
    expect(tokens.isOurs(await token({ issuer: 'https://signalbox.example.com' }))).toBe(false)
    expect(['', 'sbx_m2m_x', 'a.b.c'].map((text) => tokens.isOurs(text))).toEqual([
      false,
      false,
      false,
    ])
  })
})
