import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestDelivery, testSnapshot, type TestDelivery } from './testing/test-delivery.ts'

let test: TestDelivery

beforeEach(async () => {
  test = await openTestDelivery()
  await test.publish(values)
})
afterEach(() => test.close())

const values = {
  public: { apiUrl: 'https://api.example.com' },
  secret: { token: 'canary' },
} as const
const ended = 'The preview pr-7 has ended: pull request 7 was merged.'
const { schemaId, environmentId } = testSnapshot
const paths = [
  `/snapshots/${schemaId}/${environmentId}`,
  `/snapshots/${schemaId}/${environmentId}/1`,
  `/snapshots/${schemaId}/${environmentId}/stream`,
  '/organizations/acme/config/values?environment=production',
  `/organizations/acme/config/snapshot?environment=${environmentId}`,
]

async function end(reason: string | null = ended): Promise<void> {
  test.publisher.remove(testSnapshot, reason)
  test.publisher.announce()
  const key = test.addKey('b2m')
  await expect.poll(async () => (await test.ask(paths[0] ?? '', key)).status).not.toBe(200)
}

describe('a preview that has ended', () => {
  it.each(paths)('answers 410 with the reason at %s, to browsers and to servers', async (path) => {
    await end()
    for (const kind of ['b2m', 'm2m'] as const) {
      const answer = await test.ask(path, test.addKey(kind))
      expect([answer.status, answer.json()]).toMatchObject([
        410,
        { code: 'environment_archived', detail: ended },
      ])
      expect(answer.text).not.toContain('canary')
    }
  })

  it('says nothing to a key of another environment', async () => {
    await end()
    const key = test.addKey('m2m', { environmentIds: ['env_other'] })
    const byKey = await test.ask(paths[0] ?? '', key)
    expect(byKey.json()).toMatchObject({ code: 'key_scope_forbidden' })
    const byName = await test.ask(paths[3] ?? '', key)
    expect(byName.json()).toMatchObject({ code: 'not_found' })
  })

  it('is served again once something is published of it, under a later version', async () => {
    await end()
    await test.publish(values)
    const answer = await test.ask(paths[0] ?? '', test.addKey('b2m'))
    expect([answer.status, answer.json()]).toMatchObject([200, { version: 3 }])
  })

  it('is not there at all where it was deleted', async () => {
    await end(null)
    const answer = await test.ask(paths[0] ?? '', test.addKey('b2m'))
    expect([answer.status, answer.json()]).toMatchObject([404, { code: 'not_found' }])
  })
})
