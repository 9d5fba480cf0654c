import { auditEndpoints, declareEndpoints } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defaultRateLimits } from '../http/admission/rate-classes.ts'
import {
  bootstrapToken,
  openIdentityApp,
  type IdentityApp,
  type IdentityNode,
} from './testing/open-identity-app.ts'

/** Stands in for an answer that takes long: whatever happens does while it is under way. */
const { long } = declareEndpoints(auditEndpoints.exportAuditEvents)({
  long: {
    path: '/organizations/{org_id}/long',
    response: { status: 200, body: z.object({ before: z.boolean(), after: z.boolean() }) },
  },
})

let app: IdentityApp
let limited: IdentityNode
let orgId: string
let happens: () => Promise<unknown> = async () => undefined

beforeAll(async () => {
  const mount: Parameters<IdentityApp['openNode']>[0] = {
    mount: (router) =>
      router.add(long, {
        handle: async ({ isStillAuthorized }) => {
          const before = await isStillAuthorized()
          await happens()
          return { before, after: await isStillAuthorized() }
        },
        present: (seen) => seen,
      }),
  }
  app = await openIdentityApp(mount)
  limited = await app.openNode({ ...mount, rateLimits: defaultRateLimits })
  orgId = await app.addOrganization('Acme')
})
afterAll(async () => {
  limited.feed.close()
  await app.close()
})

let people = 0
async function join() {
  const person = await app.addPerson(`admin-${++people}`, { [orgId]: 'admin' })
  return { ...person, browser: await app.openBrowser(person.userId) }
}
const addAdmin = async (of: string) =>
  (await app.addPerson(`admin-${++people}`, { [of]: 'admin' })).token
type Person = Awaited<ReturnType<typeof join>>

const asOwner = { as: bootstrapToken }
const member = ({ userId }: Person) => `/organizations/${orgId}/members/${userId}`

describe('an answer that takes long', () => {
  it('goes on for whoever may still', async () => {
    const { browser } = await join()
    happens = async () => undefined
    const { body } = await app.ok(`GET /organizations/${orgId}/long`, { headers: browser })
    expect(body).toEqual({ before: true, after: true })
  })

  it.each<[string, (person: Person) => Promise<unknown>]>([
    [
      'their session ended',
      ({ browser }) => app.ok('DELETE /sessions/current', { headers: browser }),
    ],
    [
      'their role was lowered',
      (person) => app.ok(`PATCH ${member(person)}`, { ...asOwner, body: { role: 'developer' } }),
    ],
    ['they were removed', (person) => app.ok(`DELETE ${member(person)}`, asOwner)],
    [
      'an owner has ended every session',
      () => app.ok(`POST /organizations/${orgId}/policies/end-sessions`, asOwner),
    ],
    [
      'the organization was deleted',
      () => app.test.asOwner('update organizations set deleted_at = now() where id = $1', [orgId]),
    ],
  ])('learns that %s', async (_, what) => {
    const person = await join()
    happens = () => what(person)
    const { body } = await app.ok(`GET /organizations/${orgId}/long`, { headers: person.browser })
    expect(body).toEqual({ before: true, after: false })
  })
})

describe('the allowance for what is all there is of something', () => {
  it('is five a minute of each person, and a refusal says when to come back', async () => {
    const other = await app.addOrganization('Other')
    happens = async () => undefined
    const [one, two] = [await addAdmin(other), await addAdmin(other)]
    const ask = (as: string) => limited.call(`GET /organizations/${other}/long`, { as })
    for (let times = 0; times < 5; times += 1) expect((await ask(one)).status).toBe(200)
    const refused = await ask(one)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(refused.body.detail).toContain('"export"')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1)
    expect((await ask(two)).status).toBe(200)
  })
})
