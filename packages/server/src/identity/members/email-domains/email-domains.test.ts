import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../../audit/testing/expect-audit.ts'
import { openDnsServer, type TestDnsServer } from '../../testing/open-dns-server.ts'
import { openIdentityApp, type IdentityApp } from '../../testing/open-identity-app.ts'
import { checkAllDomains } from './check-domain.ts'
import { createReadTxt, type ReadTxt } from './read-txt.ts'

let app: IdentityApp
let dns: TestDnsServer
let readTxt: ReadTxt
let orgId: string
let owner: string
let count = 0

const dayMs = 24 * 3600 * 1000

beforeAll(async () => {
  dns = await openDnsServer()
  readTxt = createReadTxt([dns.address])
  app = await openIdentityApp({ readTxt })
})
afterAll(async () => {
  await app.close()
  await dns.close()
})
beforeEach(async () => {
  count += 1
  dns.isBroken = false
  dns.records.clear()
  await app.test.asOwner('delete from email_domains')
  orgId = await app.addOrganization('Acme')
  owner = (await app.addPerson(`owner${count}`, { [orgId]: 'owner' })).token
})

const path = (org = orgId) => `/organizations/${org}/email-domains`
const add = (domain: string, org = orgId, as = owner) =>
  app.call(`POST ${path(org)}`, { as, body: { domain } })
const check = (domain: string, org = orgId, as = owner) =>
  app.call(`POST ${path(org)}/${domain}/check`, { as })
const stateOf = async (domain: string) =>
  (await app.ok(`GET ${path()}`, { as: owner })).body.items.find(
    (item: { domain: string }) => item.domain === domain,
  )

/** Adds a domain and verifies it. Returns the text of its record. */
async function verify(domain: string): Promise<string> {
  const { recordValue } = (await add(domain)).body
  dns.records.set(domain, ['v=spf1 -all', recordValue])
  expect((await check(domain)).body).toMatchObject({ state: 'verified', lastCheck: 'found' })
  return recordValue
}

/** As the daily job does. */
const checkAll = () => checkAllDomains({ store: app.test.store, readTxt, now: app.clock.now })

describe('an e-mail domain', () => {
  it('is verified by a TXT record that nobody could guess, at its name or below _signalbox', async () => {
    const added = (await add(' Acme.com ')).body
    expect(added).toMatchObject({
      domain: 'acme.com',
      state: 'unverified',
      recordNames: ['acme.com', '_signalbox.acme.com'],
      recordValue: expect.stringMatching(/^signalbox-domain-verification=[\w-]{43}$/),
      createdWith: { type: 'personal_access_token' },
    })
    dns.records.set('acme.com', [`${added.recordValue}x`, 'signalbox-domain-verification='])
    expect((await check('acme.com')).body).toMatchObject({
      state: 'unverified',
      lastCheck: 'absent',
    })
    dns.records.set('_signalbox.acme.com', [added.recordValue])
    const event = await expectOneEvent(app.test, 'email_domain.verified', () => check('acme.com'))
    expect(event).toMatchObject({ org_id: orgId, actor: { type: 'user' } })
    expect(await stateOf('acme.com')).toMatchObject({ state: 'verified', endsAt: null })
    await expectNoEvent(app.test, () => check('acme.com'))
  })

  it('is of one organization: another one verifies it after that one has removed it', async () => {
    await verify('acme.com')
    const other = await app.addOrganization('Other')
    const rival = (await app.addPerson(`rival${count}`, { [other]: 'owner' })).token
    const { recordValue } = (await add('acme.com', other, rival)).body
    dns.records.set('acme.com', [...(dns.records.get('acme.com') ?? []), recordValue])
    const refused = await check('acme.com', other, rival)
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    await checkAll()
    expect(await stateOf('acme.com')).toMatchObject({ state: 'verified' })
    // The database keeps it too, whatever checks.
    const twice = `update email_domains set verified_at = now()`
    await expect(app.test.asOwner(twice)).rejects.toThrow('email_domains_verified')
    await expectOneEvent(app.test, 'email_domain.removed', () =>
      app.call(`DELETE ${path()}/acme.com`, { as: owner }),
    )
    expect((await check('acme.com', other, rival)).body.state).toBe('verified')
  })

  it('keeps its proof for seven days after its record is gone, and then loses it with an event', async () => {
    const recordValue = await verify('acme.com')
    dns.records.delete('acme.com')
    await checkAll()
    const { state, endsAt, checkedAt } = await stateOf('acme.com')
    expect([state, Date.parse(endsAt) - Date.parse(checkedAt)]).toEqual(['missing', 7 * dayMs])
    app.clock.advance(6 * dayMs)
    await expectNoEvent(app.test, checkAll)
    app.clock.advance(dayMs + 60_000)
    const event = await expectOneEvent(app.test, 'email_domain.unverified', checkAll)
    expect(event.actor).toMatchObject({ type: 'system' })
    expect(await stateOf('acme.com')).toMatchObject({ state: 'unverified', verifiedAt: null })
    dns.records.set('acme.com', [recordValue])
    await expectOneEvent(app.test, 'email_domain.verified', checkAll)
  })

  it('loses nothing while DNS does not answer, however long', async () => {
    await verify('acme.com')
    dns.isBroken = true
    await checkAll()
    app.clock.advance(30 * dayMs)
    await expectNoEvent(app.test, checkAll)
    expect(await stateOf('acme.com')).toMatchObject({ state: 'verified', lastCheck: 'unreachable' })
  })

  it.each([
    ['gmail.com', 'validation_failed'],
    ['acme', 'validation_failed'],
    ['*.acme.com', 'validation_failed'],
    ['acme.com.', 'validation_failed'],
    ['192.168.0.1', 'validation_failed'],
    ['ada@acme.com', 'validation_failed'],
    [`${'a'.repeat(64)}.com`, 'validation_failed'],
  ])('%s is refused where it stands, and not stored', async (domain, code) => {
    const { status, body } = await add(domain)
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, code, '/domain'])
    expect(await stateOf(domain)).toBeUndefined()
  })

  it('is added once, and by owners alone; twenty are enough', async () => {
    const admin = (await app.addPerson(`admin${count}`, { [orgId]: 'admin' })).token
    expect((await add('acme.com', orgId, admin)).body.code).toBe('role_forbidden')
    expect((await add('acme.com')).status).toBe(201)
    expect((await add('ACME.com')).body.code).toBe('already_exists')
    expect((await check('acme.com', orgId, admin)).body.code).toBe('role_forbidden')
    expect((await check('other.com')).status).toBe(404)
    for (let i = 1; i < 20; i += 1) expect((await add(`acme${i}.com`)).status).toBe(201)
    expect((await add('acme20.com')).body.code).toBe('quota_exceeded')
  })
})
