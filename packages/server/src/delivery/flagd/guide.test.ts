import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDelivery, testSnapshot, type TestDelivery } from '../testing/test-delivery.ts'

const guide = readFileSync(
  join(import.meta.dirname, '../../../../../docs/guide/flags-in-every-language.md'),
  'utf8',
)
/** The blocks of the guide in a language. */
const blocksOf = (language: string): string[] =>
  [...guide.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , text = '']) => text)

interface Source {
  readonly uri: string
  readonly provider: string
  readonly authHeader?: string
  readonly selector?: string
}

let delivery: TestDelivery
let token: string

beforeAll(async () => {
  delivery = await openTestDelivery()
  await delivery.publish({
    featureFlags: { newCheckout: true },
    flagSources: { newCheckout: 'set' },
  })
  token = delivery.addKey('m2m', { environmentIds: [testSnapshot.environmentId] }).token
})
afterAll(() => delivery.close())

/** The text with the test's key in the place of the guide's. */
const withKey = (text: string) =>
  text.replaceAll(/sbx_[mb]2m_…|\$SIGNALBOX_TOKEN/g, token).replaceAll('\\', '')

describe('the guide to flags in every language', () => {
  it('shows a request that answers the definition', async () => {
    const [request = ''] = blocksOf('http').map(withKey)
    const [, path = '', authorization = ''] =
      /^GET (\S+)\nAuthorization: (.+)$/m.exec(request) ?? []
    const answer = await delivery.ask(path, { headers: { authorization } })
    expect([answer.status, answer.json()]).toMatchObject([200, { flags: { newCheckout: {} } }])
  })

  it('shows a source of flagd that reads as the daemon does: with the header, and for free from then on', async () => {
    const sources = blocksOf('json').map((text) => JSON.parse(withKey(text)) as Source)
    expect(sources.map(({ provider }) => provider)).toEqual(['http', 'grpc'])
    const [http, grpc] = sources
    const { pathname, search } = new URL(http?.uri ?? '')
    const headers = {
      authorization: http?.authHeader ?? '',
      accept: 'application/json, application/yaml',
    }
    const first = await delivery.ask(`${pathname}${search}`, { headers })
    expect(first.status).toBe(200)
    // The daemon takes the format from the media type where the path has no ending.
    expect(first.headers['content-type']).toMatch(/^application\/json(?:;|$)/)
    expect(pathname).not.toContain('.')
    const held = { ...headers, 'if-none-match': String(first.headers.etag) }
    expect((await delivery.ask(`${pathname}${search}`, { headers: held })).status).toBe(304)
    expect(first.json()).toMatchObject({
      metadata: { flagSetId: grpc?.selector?.replace('flagSetId=', '') },
    })
  })

  it('shows a request of one flag, and the root as the address of every language', async () => {
    const curl = blocksOf('sh')
      .map(withKey)
      .find((text) => text.startsWith('curl'))
    const [, url = ''] = /(https:\S+)/.exec(curl ?? '') ?? []
    const [, body = ''] = /-d '(.+)'/.exec(curl ?? '') ?? []
    const sent = [...(curl ?? '').matchAll(/-H "(\S+): ([^"]+)"/g)]
    const headers = Object.fromEntries(sent.map(([, name = '', value = '']) => [name, value]))
    const answer = await delivery.ask(new URL(url).pathname, { method: 'POST', headers, body })
    expect([answer.status, answer.json()]).toMatchObject([200, { value: true, variant: 'on' }])
    for (const language of ['python', 'go', 'java', 'csharp', 'ruby', 'rust', 'kotlin']) {
      const [block = ''] = blocksOf(language)
      const [, address = ''] = /"(https:[^"]+)"/.exec(block) ?? []
      const { origin, pathname, search } = new URL(address)
      expect([language, origin, pathname]).toEqual([language, 'https://config.example.com', '/'])
      const bulk = await delivery.ask(`/ofrep/v1/evaluate/flags${search}`, {
        method: 'POST',
        headers,
        body,
      })
      expect(bulk.status).toBe(200)
    }
  })
})
