import { generateKeyPairSync, hash, sign } from 'node:crypto'
import {
  publisherKeyId,
  renderSignature,
  renderSignedText,
  signatureHeader,
  type SignedSnapshot,
} from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { verify, type VerifyOptions } from './index.ts'

function createKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return { x, privateKey }
}

const [key, otherKey] = [createKey(), createKey()]
const base = 'https://config.example.com'
const place = { orgId: 'org_1', environmentId: 'env_1', schemaId: 'sch_1' }
const production = {
  audience: 'browser',
  ...place,
  epoch: 1,
  version: 7,
  publishedAtMs: 1_764_158_817_123,
} as const

interface Published extends Partial<SignedSnapshot> {
  readonly environment?: string
  readonly schema?: string
  readonly flag?: boolean
}

/** Returns a snapshot as the server sends it. */
function publish(changes: Published = {}, keys: readonly (typeof key)[] = [key]) {
  const { environment = 'production', schema = 'web', flag = true, ...signed } = changes
  const snapshot: SignedSnapshot = { ...production, ...signed }
  const { schemaId, environmentId, version } = snapshot
  const names = { format: 1, schemaId, schema, environmentId, environment, version }
  const text = JSON.stringify({ ...names, public: { name: 'Grüße' }, featureFlags: { flag } })
  const signedText = Buffer.from(renderSignedText(snapshot, hash('sha256', text, 'base64url')))
  const signatures = new Map(
    keys.map(({ x, privateKey }) => [
      publisherKeyId(x),
      sign(null, signedText, privateKey).toString('base64url'),
    ]),
  )
  return { text, header: renderSignature({ ...snapshot, signatures }) }
}

type Answer = ReturnType<typeof publish>

const byIds = `${base}/snapshots/sch_1/env_1?apiKey=sbx_b2m_x`

/** Sends `answers` one after the other to a client that verifies, and returns what it believes of each. */
async function believe(
  answers: readonly Answer[],
  url = byIds,
  options: Partial<VerifyOptions> = {},
): Promise<string[]> {
  const waiting = [...answers]
  const request = verify({
    keys: [key.x],
    ...options,
    fetch: async () => {
      const { text, header } = waiting.shift() ?? publish()
      return new Response(text, header === '' ? {} : { headers: { [signatureHeader]: header } })
    },
  })
  const outcomes: string[] = []
  for (const { text } of answers) {
    outcomes.push(
      await request(url, {}).then(
        async (response) => (JSON.stringify(await response.json()) === text ? 'believed' : 'other'),
        (error: Error) => `${'code' in error ? String(error.code) : error.name}: ${error.message}`,
      ),
    )
  }
  return outcomes
}

describe('a client that verifies', () => {
  it('believes what the server signed, again and newer', async () => {
    const newer = publish({ version: 8, flag: false })
    expect(await believe([publish(), publish(), newer])).toEqual(Array(3).fill('believed'))
  })

  it('believes no answer with a changed byte, in the body or in the signature', async () => {
    const { text, header } = publish({}, [key])
    const flip = (of: string, at: number) =>
      `${of.slice(0, at)}${of[at] === 'a' ? 'b' : 'a'}${of.slice(at + 1)}`
    const altered = [
      ...Array.from(text, (_, at) => ({ text: flip(text, at), header })),
      ...Array.from(header, (_, at) => ({ text, header: flip(header, at) })),
    ]
    const outcomes = await Promise.all(altered.map(async (answer) => believe([answer])))
    const codes = new Set(outcomes.flat().map((outcome) => outcome.split(':')[0]))
    expect([altered.length > 250, [...codes]]).toEqual([true, ['untrusted']])
  })

  it('believes no answer without a signature, and none by another key', async () => {
    expect(await believe([{ ...publish(), header: '' }])).toEqual([
      'untrusted: The snapshot has no signature',
    ])
    expect(await believe([publish({}, [otherKey])])).toEqual([
      'untrusted: The snapshot is signed by another key',
    ])
  })

  it('believes either of two keys while one replaces the other', async () => {
    const both = publish({}, [key, otherKey])
    expect(await believe([both])).toEqual(['believed'])
    expect(await believe([both], byIds, { keys: [otherKey.x] })).toEqual(['believed'])
    expect(await believe([both], byIds, { keys: [createKey().x, otherKey.x] })).toEqual([
      'believed',
    ])
  })
})

describe('an older version', () => {
  it('is refused once a newer one was seen, and taken in another epoch', async () => {
    const old = publish({ version: 6 })
    expect(await believe([old, publish(), old])).toEqual([
      'believed',
      'believed',
      'untrusted: The snapshot is version 6, older than 7, which is known',
    ])
    const restored = publish({ version: 6, epoch: 2 })
    expect(await believe([publish(), restored, publish()])).toEqual([
      'believed',
      'believed',
      expect.stringContaining('untrusted'),
    ])
  })

  it('is refused after a restart where there is a storage, and taken without one', async () => {
    const stored = new Map<string, string>()
    const storage = {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, text: string) => void stored.set(name, text),
    }
    await believe([publish()], byIds, { storage })
    const old = publish({ version: 6 })
    expect(await believe([old], byIds, { storage })).toEqual([expect.stringContaining('older')])
    expect(await believe([old])).toEqual(['believed'])
  })

  it('is believed at its own address, and no other version is', async () => {
    const url = `${base}/snapshots/sch_1/env_1/6?apiKey=sbx_b2m_x`
    const old = publish({ version: 6 })
    expect(await believe([old, publish(), old], url)).toEqual([
      'believed',
      'untrusted: The snapshot is of version 7',
      'believed',
    ])
  })

  it('with other content than it had is refused', async () => {
    expect(await believe([publish(), publish({ flag: false })])).toEqual([
      'believed',
      'untrusted: The snapshot has other content than version 7 had before',
    ])
  })
})

describe('a snapshot of another place', () => {
  const named = (organization: string) =>
    `${base}/organizations/${organization}/config/snapshot?environment=production&schema=&apiKey=sbx_b2m_x`
  const staging = publish({ environmentId: 'env_2', environment: 'staging' })
  const foreign = publish({ orgId: 'org_2', environmentId: 'env_3' })

  it('is refused by ids', async () => {
    expect(await believe([staging])).toEqual([
      'untrusted: The snapshot is of the environment env_2',
    ])
    expect(await believe([publish({ schemaId: 'sch_2' })])).toEqual([
      'untrusted: The snapshot is of the schema sch_2',
    ])
  })

  it('is refused by names, of another organization too', async () => {
    expect(await believe([publish(), staging, foreign], named('org_1'))).toEqual([
      'believed',
      'untrusted: The snapshot is of the environment staging',
      'untrusted: The snapshot is of the organization org_2',
    ])
    expect(await believe([publish(), foreign], named('acme'), { orgId: 'org_1' })).toEqual([
      'believed',
      'untrusted: The snapshot is of the organization org_2',
    ])
    expect(await believe([publish()], named('acme'))).toEqual([expect.stringContaining('orgId')])
  })

  it('is refused when an environment took over its name and the former one comes back', async () => {
    const former = publish()
    const next = publish({
      environmentId: 'env_9',
      version: 1,
      publishedAtMs: production.publishedAtMs + 1,
    })
    expect(await believe([former, next, former], named('org_1'))).toEqual([
      'believed',
      'believed',
      expect.stringContaining('untrusted'),
    ])
  })

  it('is refused to a server key when it is the one for browsers', async () => {
    const asServer = { headers: { authorization: 'Bearer sbx_m2m_x' } }
    const answerOf = async (answer: Answer) => {
      const headers = { [signatureHeader]: answer.header }
      const request = verify({
        keys: [key.x],
        fetch: async () => new Response(answer.text, { headers }),
      })
      return request(`${base}/snapshots/sch_1/env_1`, asServer).then(
        () => 'believed',
        (error: Error) => error.message,
      )
    }
    expect(await answerOf(publish({ audience: 'server' }))).toBe('believed')
    expect(await answerOf(publish())).toBe('The snapshot is for a browser, not for a server')
  })
})

describe('verify', () => {
  it('leaves streams and refusals alone', async () => {
    const request = (status: number) =>
      verify({ keys: [key.x], fetch: async () => new Response('as it is', { status }) })
    const stream = await request(200)(`${base}/snapshots/sch_1/env_1/stream?`, {})
    expect(stream.body).toBeInstanceOf(ReadableStream)
    expect((await request(404)(byIds, {})).status).toBe(404)
  })

  it('needs keys', () => {
    for (const keys of [[], [''], ['short'], [`${key.x}=`]]) {
      expect(() => verify({ keys })).toThrow('public keys')
    }
  })
})
