import { integrationKinds, type IntegrationKind } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newOpaqueToken } from '../crypto/opaque-tokens.ts'
import { openConnected, type Connected } from './testing/open-connected.ts'
import type { Return } from './testing/connect-organization.ts'

let service: Connected
/** Sessions of others: a stranger, and a member who only looks. */
let others: { readonly stranger: string; readonly viewer: string }

beforeAll(async () => {
  service = await openConnected()
  const open = async (role?: string) => {
    const { token, hash } = newOpaqueToken()
    const id = `usr_${role ?? 'stranger'}`
    await service.asOwner('insert into users (id, email, name) values ($1, $1, $1)', [id])
    await service.asOwner(
      `insert into sessions (token_hash, user_id, expires_at) values ($1, $2, now() + interval '1 day')`,
      [hash, id],
    )
    if (role !== undefined) {
      await service.asOwner('insert into members (org_id, user_id, role) values ($1, $2, $3)', [
        service.orgId,
        id,
        role,
      ])
    }
    return token
  }
  others = { stranger: await open(), viewer: await open('viewer') }
})
afterAll(() => service.close())

type Change = (back: Return) => Return & { readonly method?: string }

const query =
  (name: string, to: string | undefined | ((value: string) => string)): Change =>
  (back) => {
    const changed = new URLSearchParams(back.query)
    const value = typeof to === 'function' ? to(changed.get(name) ?? '') : to
    changed.delete(name)
    if (value !== undefined) changed.set(name, value)
    return { ...back, query: changed }
  }
const state = (to: Parameters<typeof query>[1]) => query('state', to)
const cookie =
  (name: string, to: string | undefined | (() => string)): Change =>
  (back) => {
    const { [name]: _was, ...cookies } = back.cookies
    const value = typeof to === 'function' ? to() : to
    return { ...back, cookies: value === undefined ? cookies : { ...cookies, [name]: value } }
  }

/** Another content under the old signature. */
const forged = (change: (fields: Record<string, unknown>) => object) => (value: string) => {
  const [version = '', payload = '', mac = ''] = value.split('.')
  const fields = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
  const text = Buffer.from(JSON.stringify(change(fields))).toString('base64url')
  return `${version}.${text}.${mac}`
}

const other: Readonly<Record<IntegrationKind, IntegrationKind>> = {
  codehost: 'tracker',
  tracker: 'chat',
  chat: 'codehost',
}

/** Lists callbacks that do not answer the authorization that was begun, with the status of each response. */
const cases: readonly (readonly [name: string, change: Change, status: number])[] = [
  ['without a state', state(undefined), 400],
  ['with an empty state', state(''), 400],
  ['with a state of spaces', state('   '), 400],
  ['with a state that is a word', state('state'), 400],
  ['with a state that is JSON', state('{"n":"1"}'), 400],
  ['with a state of dots', state('v1..'), 400],
  ['with a state of the next version', state((value) => value.replace('v1.', 'v2.')), 400],
  ['without the version', state((value) => value.slice(3)), 400],
  ['without the signature', state((value) => value.slice(0, value.lastIndexOf('.'))), 400],
  ['with an empty signature', state((value) => value.replace(/[^.]+$/, '')), 400],
  ['with a short signature', state((value) => value.slice(0, -4)), 400],
  ['with a long signature', state((value) => `${value}AAAA`), 400],
  ['with another signature', state((value) => value.replace(/[^.]+$/, 'A'.repeat(43))), 400],
  ['with an upper-case state', state((value) => value.toUpperCase()), 400],
  ['with another organization', state(forged((fields) => ({ ...fields, o: 'org_other' }))), 400],
  ['with another member', state(forged((fields) => ({ ...fields, u: 'usr_viewer' }))), 400],
  ['with another provider inside', state(forged((fields) => ({ ...fields, p: 'gitlab' }))), 400],
  ['with another nonce', state(forged((fields) => ({ ...fields, n: 'A'.repeat(43) }))), 400],
  [
    'with another cookie inside',
    state(forged((fields) => ({ ...fields, c: 'A'.repeat(43) }))),
    400,
  ],
  ['with another time', state(forged((fields) => ({ ...fields, t: Date.now() + 1 }))), 400],
  ['with a field more', state(forged((fields) => ({ ...fields, admin: true }))), 400],
  ['with a state too long to be one', state('v1.'.padEnd(2001, 'A')), 400],
  ['at the address of another kind', (back) => ({ ...back, kind: other[toKind(back.kind)] }), 400],
  ['at the address of no kind', (back) => ({ ...back, kind: 'gitlab' }), 404],
  ['at an address in capitals', (back) => ({ ...back, kind: back.kind.toUpperCase() }), 404],
  ['in a browser that did not begin', cookie('__Host-connect', undefined), 400],
  ['with an empty cookie', cookie('__Host-connect', ''), 400],
  ['with the cookie of another browser', cookie('__Host-connect', 'A'.repeat(43)), 400],
  ['with a cookie that is none', cookie('__Host-connect', '%00'), 400],
  ['with the cookie under another name', renamedCookie, 400],
  ['signed out', cookie('__Host-s', undefined), 400],
  ['with a session that is none', cookie('__Host-s', 'A'.repeat(43)), 400],
  ['signed in as a stranger', cookie('__Host-s', () => others.stranger), 400],
  ['signed in as a member who only looks', cookie('__Host-s', () => others.viewer), 400],
  ['by POST', (back) => ({ ...back, method: 'POST' }), 405],
  ['by PUT', (back) => ({ ...back, method: 'PUT' }), 405],
  ['with an installation too long to be one', query('installation_id', '9'.repeat(31)), 400],
  ['with a code too long to be one', query('code', 'A'.repeat(2001)), 400],
  ['with two states', twice('state'), 400],
  ['with two codes', twice('code'), 400],
]

function toKind(text: string): IntegrationKind {
  return integrationKinds.find((kind) => kind === text) ?? 'codehost'
}

function renamedCookie(back: Return): Return {
  const { ['__Host-connect']: value = '', ...cookies } = back.cookies
  return { ...back, cookies: { ...cookies, connect: value } }
}

function twice(name: string): Change {
  return (back) => {
    const changed = new URLSearchParams(back.query)
    changed.append(name, changed.get(name) ?? '')
    return { ...back, query: changed }
  }
}

/** Requests that hand a code over. */
const exchanges = () =>
  service.sandbox.log
    .list()
    .filter(({ path }) => /oauth\/access_token|oauth\/token$|oauth\.v2\.access/.test(path)).length

describe.each(integrationKinds)('a way back from %s', (kind) => {
  it('that is not the answer is refused before its code is handed over, in 40 ways', async () => {
    expect(cases).toHaveLength(40)
    const back = await service.goAndAllow(kind)
    const before = exchanges()
    const answered = []
    for (const [name, change] of cases) {
      const answer = await service.comeBack(change(back))
      const text = await answer.text()
      answered.push([name, answer.status, answer.headers.get('location')])
      // The code would be good at the provider, whoever reads it.
      expect(text).not.toContain(back.query.get('code'))
    }
    expect(answered).toEqual(cases.map(([name, , status]) => [name, status, null]))
    expect(exchanges()).toBe(before)
    // None of them has used the answer up: it is good once, and then no more.
    expect((await service.comeBack(back)).status).toBe(303)
    expect(exchanges()).toBe(before + 1)
    expect((await service.comeBack(back)).status).toBe(400)
    expect(exchanges()).toBe(before + 1)
  })
})
