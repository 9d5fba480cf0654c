import { integrationKinds } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newOpaqueToken } from '../crypto/opaque-tokens.ts'
import { openOrganization, registerAt } from './testing/connect-organization.ts'
import { openConnected, type Connected } from './testing/open-connected.ts'

let service: Connected
let people = 0

beforeAll(async () => {
  service = await openConnected()
})
afterAll(() => service.close())

/** Adds an admin to the organization, who is signed in to a browser. */
async function addAdmin() {
  const userId = `usr_admin${++people}`
  const { token, hash } = newOpaqueToken()
  await service.asOwner('insert into users (id, email, name) values ($1, $1, $1)', [userId])
  await service.asOwner(
    `insert into sessions (token_hash, user_id, expires_at) values ($1, $2, now() + interval '1 day')`,
    [hash, userId],
  )
  await service.asOwner(`insert into members (org_id, user_id, role) values ($1, $2, 'admin')`, [
    service.orgId,
    userId,
  ])
  const { apiUrl, orgId } = service
  const session = `__Host-s=${token}`
  return { userId, ...openOrganization({ apiUrl, orgId, session }) }
}

type Admin = Awaited<ReturnType<typeof addAdmin>>

/** Comes back from all three providers, and has `lose` happen while they exchange the codes. */
async function comeBackAndLose(admin: Admin, lose: (admin: Admin) => Promise<unknown>) {
  const { sandbox } = service
  const backs = []
  let letOn = () => {}
  const until = new Promise<void>((resolve) => {
    letOn = resolve
  })
  for (const kind of integrationKinds) backs.push(await admin.goAndAllow(kind))
  for (const [provider, path] of [
    ['github', '/login/oauth/access_token'],
    ['jira', '/oauth/token'],
    ['slack', '/oauth.v2.access'],
  ] as const) {
    sandbox.faults.add({ provider, request: `POST ${path}`, fault: { kind: 'hold', until } })
  }
  const answers = Promise.all(backs.map((back) => admin.comeBack(back)))
  await expect.poll(() => sandbox.faults.list()).toEqual([])
  await lose(admin)
  letOn()
  return Promise.all(
    (await answers).map(async (answer) => ({ status: answer.status, text: await answer.text() })),
  )
}

const asked = (request: string) =>
  service.sandbox.log.list().filter(({ method, path }) => `${method} ${path}`.startsWith(request))
    .length

/** Signs a browser out. */
const signOut = ({ session }: Admin) =>
  fetch(`${service.apiUrl}/sessions/current`, {
    method: 'DELETE',
    headers: { cookie: session, origin: service.apiUrl, 'x-requested-by': 'dashboard' },
  })

describe('a connection whose admin loses the right while its code is exchanged', () => {
  it.each([
    [
      'is made a developer',
      'role_changed',
      ({ userId }: Admin) => service.ask(`PATCH /members/${userId}`, { role: 'developer' }),
    ],
    ['is removed', 'role_changed', ({ userId }: Admin) => service.ask(`DELETE /members/${userId}`)],
    ['signs out', 'session_changed', signOut],
    // The last, because it takes the organization of the others.
    ['deletes the organization', 'role_changed', () => service.ask('DELETE ')],
  ] as const)(
    'is stored by no provider, and ended where it was granted, when the admin %s',
    async (_what, code, lose) => {
      service.sandbox.reset()
      await registerAt(service.sandbox, service.apiUrl)
      await service.asOwner('delete from integrations')
      const answers = await comeBackAndLose(await addAdmin(), lose)
      for (const { status, text } of answers) {
        expect(status).toBe(400)
        expect(text).toContain(`<code>${code}</code>`)
      }
      expect(
        await service.asOwner(`select from integrations where state <> 'disconnected'`),
      ).toEqual([])
      expect(await service.asOwner('select from integration_credentials')).toEqual([])
      const readRevocations = () =>
        service.asOwner(
          `select provider, state, sealed from integration_revocations order by provider`,
        )
      await expect.poll(readRevocations).toEqual([
        { provider: 'github', state: 'revoked', sealed: null },
        { provider: 'slack', state: 'revoked', sealed: null },
      ])
      expect([asked('DELETE /app/installations/'), asked('POST /auth.revoke')]).toEqual([1, 1])
    },
  )
})
