import { afterEach, describe, expect, it, vi } from 'vitest'
import { callFile, toUrl } from './call.ts'

describe('the address of a call', () => {
  it('escapes what is put into the path', () => {
    expect(toUrl('/orgs/{org_id}/keys/{key}', { org_id: 'acme', key: 'a/b?c' })).toBe(
      '/orgs/acme/keys/a%2Fb%3Fc',
    )
  })

  it.each(['.', '..'])('leads to no other endpoint by an id that is %s', (key) => {
    expect(() => toUrl('/orgs/{org_id}/keys/{key}/rotate', { org_id: 'acme', key })).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    )
    // The control: this is where a browser would go.
    const address = `https://a.example/orgs/acme/keys/${encodeURIComponent(key)}/rotate`
    expect(new URL(address).pathname).not.toContain(`/${key}/`)
  })

  it('leaves out what is not given, and repeats lists', () => {
    expect(toUrl('/x', {}, { a: undefined, b: null, c: '', d: 0, e: ['1', '2'] })).toBe(
      '/x?d=0&e=1&e=2',
    )
  })
})

describe('a file', () => {
  afterEach(() => vi.unstubAllGlobals())

  const route = 'GET /organizations/{org_id}/audit-events/export'
  const ask = (answer: Response) => {
    vi.stubGlobal('fetch', () => Promise.resolve(answer))
    return callFile(route, { params: { org_id: 'acme' } }, new AbortController().signal)
  }

  it('has the name that the service gives it', async () => {
    const headers = { 'content-disposition': 'attachment; filename="audit-acme.csv"' }
    const { name, content } = await ask(new Response('sequence', { headers }))
    expect([name, await content.text()]).toEqual(['audit-acme.csv', 'sequence'])
  })

  it('whose end does not come is none: no part is taken for the whole', async () => {
    const cut = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('sequence\r\n1'))
        controller.error(new TypeError('terminated'))
      },
    })
    await expect(ask(new Response(cut))).rejects.toMatchObject({ code: 'cut_off' })
  })

  it('that is refused says why, and when to ask again', async () => {
    const before = Date.now()
    const fields = { code: 'rate_limited', status: 429, title: 'Too many', detail: 'Wait 12 s.' }
    const headers = { 'retry-after': '12', 'x-request-id': 'req_1' }
    const refused = ask(new Response(JSON.stringify(fields), { status: 429, headers }))
    await expect(refused).rejects.toMatchObject({
      code: 'rate_limited',
      requestId: 'req_1',
      retryAt: expect.toSatisfy(
        (at: Date) => at.getTime() >= before + 12_000 && at.getTime() < before + 60_000,
      ),
    })
  })
})
