import { afterAll, beforeAll, expect, it } from 'vitest'
import { generateRootKey } from '../../crypto/root-key.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { admitRootKeys } from '../../vault/admit-root-keys.ts'
import { createOrganizationKeys } from '../../vault/organization-keys.ts'
import {
  findWebhookConnection,
  keepConnectionHooks,
  type WebhookSecretsDeps,
} from './webhook-secrets.ts'

let test: TestStore
let deps: WebhookSecretsDeps
const now = new Date('2026-11-26T12:00:00Z')
const secret = 'the secret of one connection'

beforeAll(async () => {
  test = await openTestStore()
  const rootKey = generateRootKey()
  await admitRootKeys(test, [rootKey])
  const keys = createOrganizationKeys({
    store: test.store,
    rootKeys: () => [rootKey],
    now: () => now,
  })
  deps = { store: test.store, keys }
  await test.asOwner(`
    insert into organizations (id, slug, name) values ('org_1', 'acme', 'Acme');
    insert into integrations (org_id, id, kind, provider, state, account_id, account)
      values ('org_1', 'int_1', 'codehost', 'example', 'connected', 'a/7', '{"id":"a/7","name":"Ada","url":null}');`)
  await test.store.transaction({ orgId: 'org_1' }, async (tx) => {
    await keys.create(tx, 'org_1')
    const ref = { orgId: 'org_1', integrationId: 'int_1' }
    await keepConnectionHooks(deps, tx, { ...ref, secrets: [secret], hooks: ['42:7'], now })
  })
})
afterAll(() => test.close())

const found = { orgId: 'org_1', integrationId: 'int_1', accountId: 'a/7', secrets: [secret] }

it('finds a connection by its address, and by no other', async () => {
  expect(await findWebhookConnection(deps, 'example', 'int_1')).toEqual(found)
  for (const [provider, id] of [
    ['other', 'int_1'],
    ['example', 'int_2'],
    ['example', "int_1' or true"],
  ] as const) {
    expect(await findWebhookConnection(deps, provider, id)).toBeUndefined()
  }
})

it('keeps the secrets sealed', async () => {
  const [row] = await test.asOwner<{ sealed: Buffer }>('select sealed from integration_webhooks')
  expect(row?.sealed.includes(Buffer.from(secret))).toBe(false)
})

it('finds none once the connection has ended', async () => {
  await test.asOwner(`update integrations set state = 'disconnected'`)
  expect(await findWebhookConnection(deps, 'example', 'int_1')).toBeUndefined()
  await test.asOwner(`update integrations set state = 'reauth_required'`)
  expect(await findWebhookConnection(deps, 'example', 'int_1')).toEqual(found)
})
