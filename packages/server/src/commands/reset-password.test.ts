import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectOneEvent } from '../audit/testing/expect-audit.ts'
import {
  openIdentityApp,
  password,
  type IdentityApp,
} from '../identity/testing/open-identity-app.ts'
import { runServerHere } from './testing/server-process.ts'

let app: IdentityApp
const email = 'ada@example.com'

beforeAll(async () => {
  app = await openIdentityApp()
  const { userId } = await app.addPerson('ada')
  await app.setPassword(userId)
})
afterAll(() => app.close())

const run = (...args: string[]) =>
  runServerHere({
    args: ['reset-password', ...args],
    env: { DATABASE_URL: app.test.databaseUrl, SIGNALBOX_ROOT_KEY: 'A'.repeat(43) },
  })
const signIn = (typed: string) => app.call('POST /sessions', { body: { email, password: typed } })

describe('reset-password', () => {
  it('prints another password, which lets the person in, and ends what the former one opened', async () => {
    const cookie = (await signIn(password)).headers.get('set-cookie')?.split(';')[0] ?? ''
    const me = async () => (await app.call('GET /me', { headers: { cookie } })).status
    expect(await me()).toBe(200)

    let printed = ''
    const event = await expectOneEvent(app.test, 'auth.password_reset', async () => {
      const { exitCode, stdout, stderr } = await run('  Ada@Example.com')
      expect(exitCode).toBe(0)
      expect(stderr).toContain('Ended 1 sessions')
      printed = stdout.trim()
    })
    expect(printed).toMatch(/^[\w-]{20}$/)
    expect(JSON.stringify(event)).not.toContain(printed)
    // The node that runs beside it hears of it.
    await expect.poll(me).toBe(401)
    expect((await signIn(password)).status).toBe(401)
    expect((await signIn(printed)).status).toBe(201)
  })

  it('changes nothing for an address that nobody has, and says so', async () => {
    const { exitCode, stdout, stderr } = await run('eve@example.com')
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toContain('No account has the address "eve@example.com".')
  })

  it('asks for the address', async () => {
    const { exitCode, stderr } = await run()
    expect(exitCode).toBe(2)
    expect(stderr).toContain('reset-password ada@example.com')
  })
})
