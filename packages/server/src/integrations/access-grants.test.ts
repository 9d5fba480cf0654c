import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { generateRootKey } from '../crypto/root-key.ts'
import type { Grant } from '../providers/grant.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'
import { admitRootKeys } from '../vault/admit-root-keys.ts'
import { createOrganizationKeys, type OrganizationKeys } from '../vault/organization-keys.ts'
import { createAccessGrants, type AccessGrants } from './access-grants.ts'
import type { Connector } from './connector.ts'
import { putCredentialRow } from './credential-rows.ts'
import type { Integration } from './integration.ts'
import { upsertIntegrationRow } from './rows.ts'
import { sealGrant } from './sealed-grant.ts'

const orgId = 'org_1'
const integrationId = 'int_1'
const place = { orgId, integrationId }
const start = Date.parse('2026-11-22T00:00:00.000Z')
const minutes = (count: number) => count * 60_000
let nowMs = start
const now = () => new Date(nowMs)

let test: TestStore
let keys: OrganizationKeys
let grants: readonly [AccessGrants, AccessGrants]
let calls: string[]
let reauths: string[]
/** What the provider answers to a refresh token. */
let answer: (refreshToken: string) => Promise<Grant>

const integration: Integration = {
  orgId,
  id: integrationId,
  kind: 'tracker',
  provider: 'jira',
  state: 'connected',
  stateReason: null,
  account: { id: 'site', name: 'Acme', url: null },
  scopes: [],
  settings: {},
  connectedAt: null,
  connectedBy: null,
  reconnectBefore: null,
  lastOkAt: null,
  lastError: null,
  revocation: null,
  revision: 1,
}

function grantOf(number: number, lifeMs: number): Grant {
  return {
    accessToken: `access ${number}`,
    accessExpiresAt: new Date(nowMs + lifeMs),
    refreshToken: `refresh ${number}`,
    refreshExpiresAt: null,
    scopes: ['read:jira-work'],
  }
}

/** A node of its own, as far as the database can tell. */
function openNode(): AccessGrants {
  const connector: Pick<Connector, 'refresh'> = {
    refresh: (refreshToken) => {
      calls.push(refreshToken)
      return answer(refreshToken)
    },
  }
  return createAccessGrants({
    store: test.store,
    keys,
    connectorOf: () => connector as Connector,
    requireReauth: async (_, { code }) => void reauths.push(code),
    now,
  })
}

beforeAll(async () => {
  test = await openTestStore()
  const rootKey = generateRootKey()
  await admitRootKeys(test, [rootKey])
  keys = createOrganizationKeys({ store: test.store, rootKeys: () => [rootKey], now })
  await test.asOwner(
    `insert into organizations (id, slug, name) values ('${orgId}', 'acme', 'Acme')`,
  )
  await test.store.transaction({ orgId }, (tx) => keys.create(tx, orgId))
})
afterAll(() => test.close())

beforeEach(async () => {
  nowMs = start
  calls = []
  reauths = []
  answer = async () => grantOf(2, minutes(60))
  grants = [openNode(), openNode()]
  await test.store.transaction({ orgId }, async (tx) => {
    await upsertIntegrationRow(tx, integration, now())
    const grant = grantOf(1, minutes(60))
    const sealed = sealGrant(await keys.getSealer(tx, orgId), { ...place, generation: 1 }, grant)
    const { accessExpiresAt, refreshExpiresAt } = grant
    await putCredentialRow(
      tx,
      place,
      { generation: 1, sealed, accessExpiresAt, refreshExpiresAt },
      now(),
    )
  })
})

const get = (node = 0) => (grants[node] ?? grants[0]).get(orgId, 'tracker')
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => String(Reflect.get(Object(error), 'code')),
  )

describe('a grant', () => {
  it('is given as it is while it lasts', async () => {
    nowMs += minutes(40)
    expect((await get()).accessToken).toBe('access 1')
    expect(calls).toEqual([])
  })

  it('is renewed before its end, and kept renewed', async () => {
    nowMs += minutes(50)
    expect((await get()).accessToken).toBe('access 2')
    expect((await get(1)).accessToken).toBe('access 2')
    expect(calls).toEqual(['refresh 1'])
  })

  it('is renewed once for fifty callers on two nodes, all of which get the new one', async () => {
    nowMs += minutes(61)
    const given = await Promise.all(Array.from({ length: 50 }, (_, index) => get(index % 2)))
    expect(calls).toEqual(['refresh 1'])
    expect(new Set(given.map(({ accessToken }) => accessToken))).toEqual(new Set(['access 2']))
  })

  it('that still lasts a while is given to those who come while somebody renews it', async () => {
    nowMs += minutes(50)
    const { promise, resolve: finish } = Promise.withResolvers<Grant>()
    answer = () => promise
    const first = get()
    await expect.poll(() => calls).toEqual(['refresh 1'])
    expect((await get(1)).accessToken).toBe('access 1')
    finish(grantOf(2, minutes(60)))
    expect((await first).accessToken).toBe('access 2')
  })

  it('keeps its refresh token and scopes where the provider leaves them out', async () => {
    nowMs += minutes(61)
    answer = async () => ({ ...grantOf(2, minutes(60)), refreshToken: null, scopes: [] })
    await get()
    nowMs += minutes(61)
    await get()
    expect(calls).toEqual(['refresh 1', 'refresh 1'])
    expect((await get()).scopes).toEqual(['read:jira-work'])
  })

  it('that the provider takes back is asked for once, and has to be granted again', async () => {
    nowMs += minutes(61)
    answer = async () => {
      throw new ProviderError({ provider: 'jira', failure: 'rejected', code: 'invalid_grant' })
    }
    expect(await codeOf(get())).toBe('reauth_required')
    expect(reauths).toEqual(['invalid_grant'])
    expect(calls).toHaveLength(1)
  })

  it('is tried again after an answer that never came: the lease was given back', async () => {
    nowMs += minutes(61)
    answer = async () => {
      throw new ProviderError({ provider: 'jira', failure: 'ambiguous', code: 'timeout' })
    }
    expect(await codeOf(get())).toBe('provider_error')
    answer = async () => grantOf(2, minutes(60))
    expect((await get(1)).accessToken).toBe('access 2')
    expect(reauths).toEqual([])
  })

  it('is nobody’s before it is connected, or after', async () => {
    const work = (state: Integration['state']) =>
      test.store.transaction({ orgId }, (tx) =>
        upsertIntegrationRow(tx, { ...integration, state }, now()),
      )
    for (const state of ['pending', 'suspended', 'disconnecting', 'disconnected'] as const) {
      await work(state)
      expect([state, await codeOf(get())]).toEqual([state, 'integration_not_connected'])
    }
    await work('reauth_required')
    expect(await codeOf(get())).toBe('reauth_required')
    expect(calls).toEqual([])
  })

  it('of an older generation cannot be put back in the place of a newer one', async () => {
    const [before] = await test.asOwner<{ sealed: Buffer }>(
      'select sealed from integration_credentials',
    )
    nowMs += minutes(61)
    await get()
    const old = before?.sealed.toString('hex')
    await test.asOwner(`update integration_credentials set sealed = '\\x${old}'`)
    await expect(get()).rejects.toThrow(/changed|seal|open/i)
  })
})
