import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createHashRequest, type RepeatableRequest } from './idempotency-key.ts'

const hashRequest = createHashRequest(Buffer.alloc(32, 1))
const request: RepeatableRequest = {
  method: 'POST',
  orgId: 'org_1',
  target: { path: '/organizations/acme/config-schemas', query: {} },
  body: Buffer.from('{"schema":{"pin":{"type":"string","default":"1234"}}}'),
}

describe('the hash of a request', () => {
  it('is the same for a repeat, and another one for whatever differs', () => {
    const { target } = request
    const hashes = [
      request,
      { ...request, method: 'PUT' },
      { ...request, orgId: 'org_2' },
      { ...request, orgId: null },
      { ...request, target: { ...target, path: '/organizations/org_1/config-schemas' } },
      { ...request, target: { ...target, query: { force: 'true' } } },
      { ...request, target: { ...target, query: { force: 'false' } } },
      { ...request, body: Buffer.from('{}') },
    ].map(hashRequest)
    expect(new Set(hashes).size).toBe(hashes.length)
    expect(hashRequest({ ...request })).toBe(hashes[0])
  })

  it('cannot be made again without the key, to find a short secret by trying', () => {
    const { method, orgId, target, body } = request
    const head = JSON.stringify([method, orgId, target.path, target.query])
    const plain = [`${head}\n`, `${method} ${target.path}\n`, ''].map((start) =>
      createHash('sha256').update(start).update(body).digest('hex'),
    )
    expect(plain).not.toContain(hashRequest(request))
    expect(createHashRequest(Buffer.alloc(32, 2))(request)).not.toBe(hashRequest(request))
  })
})
