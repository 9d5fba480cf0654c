import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAuthenticate } from '../../identity/authenticate.ts'
import { createCheckPerson } from '../../identity/check-person.ts'
import {
  bootstrapToken,
  openIdentityApp,
  type IdentityApp,
} from '../../identity/testing/open-identity-app.ts'
import {
  openTestDelivery,
  testSnapshot,
  snapshotPath,
  type TestDelivery,
} from '../testing/test-delivery.ts'

let app: IdentityApp
let test: TestDelivery
/** Counts how often people were looked up together. */
let looks = 0

beforeAll(async () => {
  app = await openIdentityApp()
  await app.test.asOwner(`insert into organizations (id, slug, name) values ($1, 'acme', 'Acme')`, [
    testSnapshot.orgId,
  ])
  const { store } = app.test
  const verifier = {
    verifyApiKey: () => ({ outcome: 'invalid' as const }),
    verifyAccessToken: () => Promise.resolve({ outcome: 'invalid' as const }),
  }
  const { now } = app.clock
  const counted: typeof store = {
    ...store,
    transaction(scope, work) {
      if (scope.orgId === testSnapshot.orgId) looks += 1
      return store.transaction(scope, work)
    },
  }
  const authenticate = createAuthenticate({ store, verifier, uses: app.uses, bootstrapToken, now })
  test = await openTestDelivery({
    deps: { authenticatePerson: createCheckPerson({ store: counted, authenticate, now }) },
  })
  await test.publish({ public: { apiUrl: 'https://api.example.com' } })
})
afterAll(async () => {
  await test?.close()
  await app.close()
})

type Person = Awaited<ReturnType<IdentityApp['addPerson']>>
let people = 0
const join = () => app.addPerson(`reader${++people}`, { [testSnapshot.orgId]: 'developer' })
const open = async ({ token }: Person) => {
  const stream = await test.stream(`${snapshotPath}/stream`, { authorization: `Bearer ${token}` })
  expect(stream.status).toBe(200)
  return stream
}

describe('a stream that a person holds open', () => {
  it('survives the sign-out of another person, and ends with the own one, by one check for all', async () => {
    const [one, two] = [await join(), await join()]
    const streams = [await open(one), await open(two)]
    const [gone, own] = streams
    looks = 0
    await app.test.asOwner('update personal_access_tokens set revoked_at = now() where id = $1', [
      one.tokenId,
    ])
    app.test.store.announce('credentials')
    await gone?.ended
    expect(looks).toBe(1)
    await test.publish({ public: { apiUrl: 'https://other.example.com' } })
    await own?.until(/"version":2/)
    own?.close()
  })

  const path = `/organizations/${testSnapshot.orgId}/members`

  it('ends when the person is removed from the organization, and does not open again', async () => {
    const person = await join()
    const stream = await open(person)
    await app.ok(`DELETE ${path}/${person.userId}`, { as: bootstrapToken })
    await stream.ended
    const headers = { authorization: `Bearer ${person.token}` }
    expect((await test.stream(`${snapshotPath}/stream`, headers)).status).toBe(404)
  })

  it('ends when the organization no longer lets the person in, and does not open again before it does', async () => {
    const person = await join()
    const stream = await open(person)
    await app.setPolicies(testSnapshot.orgId, { tokenDays: 30 })
    await stream.ended
    const headers = { authorization: `Bearer ${person.token}` }
    expect((await test.stream(`${snapshotPath}/stream`, headers)).status).toBe(404)
    await app.setPolicies(testSnapshot.orgId, {})
    const again = await open(person)
    again.close()
  })

  it("ends when the person's role is lowered, and opens again with the rights of the new one", async () => {
    const person = await join()
    const stream = await open(person)
    const body = { role: 'viewer' }
    await app.ok(`PATCH ${path}/${person.userId}`, { as: bootstrapToken, body })
    await stream.ended
    const again = await open(person)
    expect(again.status).toBe(200)
    again.close()
  })
})
