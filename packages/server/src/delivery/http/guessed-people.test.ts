import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newOpaqueToken } from '../../crypto/opaque-tokens.ts'
import { newToken } from '../../crypto/tokens.ts'
import { defaultRateLimits } from '../../http/admission/rate-classes.ts'
import { createAuthenticate } from '../../identity/authenticate.ts'
import { createCheckPerson } from '../../identity/check-person.ts'
import {
  bootstrapToken,
  openIdentityApp,
  type IdentityApp,
} from '../../identity/testing/open-identity-app.ts'
import { ask } from '../testing/http-client.ts'
import { openTestDelivery, snapshotPath, type TestDelivery } from '../testing/test-delivery.ts'

const plenty = { perSecond: 1_000_000, burst: 1_000_000 }
/** As by default, but that nothing comes back while a test runs. */
const sixty = { perSecond: 0.001, burst: 60 }

let app: IdentityApp
let test: TestDelivery
const closing: (() => void)[] = []

beforeAll(async () => {
  app = await openIdentityApp()
})
afterAll(() => app.close())
afterEach(async () => {
  for (const close of closing.splice(0)) close()
  await test.close()
})

/** A delivery that knows the people of the database, at its own address and at the API's. */
async function open() {
  let looks = 0
  const store: IdentityApp['test']['store'] = {
    ...app.test.store,
    transaction(scope, work) {
      looks += 1
      return app.test.store.transaction(scope, work)
    },
  }
  const verifier = {
    verifyApiKey: () => ({ outcome: 'invalid' as const }),
    verifyAccessToken: () => Promise.resolve({ outcome: 'invalid' as const }),
  }
  const { uses } = app
  const { now } = app.clock
  const authenticate = createAuthenticate({ store, verifier, uses, bootstrapToken, now })
  test = await openTestDelivery({
    rateLimits: { ...defaultRateLimits, delivery: plenty, invalidCredentials: sixty },
    deps: { authenticatePerson: createCheckPerson({ store, authenticate, now }) },
  })
  const handle = test.delivery.handlerFor({ crossOrigin: false })
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  const ports = { delivery: test.port, api: (server.address() as AddressInfo).port }
  return {
    looks: () => looks,
    statusAt: async (address: keyof typeof ports, headers: Record<string, string>) =>
      (await ask(ports[address], snapshotPath, { headers })).status,
  }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const wrongPat = () => bearer(newToken('pat').token)
const wrongCookie = () => ({ cookie: `__Host-s=${newOpaqueToken().token}` })
const wrongBootstrap = () => bearer(newOpaqueToken().token)

describe("a person's credentials", () => {
  it.each([
    ['a personal access token', 'delivery', wrongPat, 60],
    ['a personal access token', 'api', wrongPat, 60],
    ['the bootstrap token', 'delivery', wrongBootstrap, 0],
    ['the bootstrap token', 'api', wrongBootstrap, 0],
    ["a session's cookie", 'api', wrongCookie, 60],
  ] as const)(
    '%s cannot be guessed for long at the address of the %s: after sixty nothing is looked up',
    async (_, address, guess, looksMax) => {
      const { looks, statusAt } = await open()
      for (let tried = 0; tried < 60; tried += 1) {
        expect(await statusAt(address, guess())).toBe(401)
      }
      expect(looks()).toBe(looksMax)
      for (let tried = 0; tried < 5; tried += 1) {
        expect(await statusAt(address, guess())).toBe(429)
      }
      expect(looks()).toBe(looksMax)
    },
  )

  it("a session's cookie means nothing at the delivery's own address, and is never looked up", async () => {
    const { looks, statusAt } = await open()
    for (let tried = 0; tried < 65; tried += 1) {
      expect(await statusAt('delivery', wrongCookie())).toBe(401)
    }
    expect(looks()).toBe(0)
  })

  it('costs nothing for good credentials, and foreign cookies are no guess', async () => {
    const { statusAt } = await open()
    const { token } = await app.addPerson('ada')
    for (let tried = 0; tried < 70; tried += 1) {
      expect(await statusAt('api', bearer(token))).toBe(404)
      expect(await statusAt('api', { cookie: 'theme=dark' })).toBe(401)
    }
  })
})
