import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '../../crypto/ids.ts'
import { generateRootKey } from '../../crypto/root-key.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { verifyRootKeys } from '../../vault/verify-root-keys.ts'
import { createOrganizationKeys } from '../../vault/organization-keys.ts'
import { createConnectionHomes } from './connection-homes.ts'
import {
  findWebhookConnection,
  keepFirstSecrets,
  type FindConnectionDeps,
} from './webhook-secrets.ts'

let test: TestStore
let deps: FindConnectionDeps
/** Ends the pause after the last question. */
let endPause = () => {}
let questions = 0
const now = new Date('2026-11-26T12:00:00Z')
const secret = 'the secret of one connection'

beforeAll(async () => {
  test = await openTestStore()
  const rootKey = generateRootKey()
  await verifyRootKeys(test, [rootKey])
  const keys = createOrganizationKeys({
    store: test.store,
    rootKeys: () => [rootKey],
    now: () => now,
  })
  const homes = createConnectionHomes({
    store: {
      intake(work) {
        questions += 1
        return test.store.intake(work)
      },
    },
    pause: () => new Promise<void>((resolve) => (endPause = resolve)),
  })
  deps = { store: test.store, keys, homes }
  await test.asOwner(`
    insert into organizations (id, slug, name) values ('org_1', 'acme', 'Acme');
    insert into integrations (org_id, id, kind, provider, state, account_id, account)
      values ('org_1', 'int_1', 'codehost', 'example', 'connected', 'a/7', '{"id":"a/7","name":"Ada","url":null}');`)
  await test.store.transaction({ orgId: 'org_1' }, async (tx) => {
    await keys.create(tx, 'org_1')
    const ref = { orgId: 'org_1', integrationId: 'int_1' }
    await keepFirstSecrets(deps, tx, { ...ref, secrets: [secret], now })
  })
})
afterAll(() => test.close())

const found = { orgId: 'org_1', integrationId: 'int_1', accountId: 'a/7', secrets: [secret] }

/** Lets each question that waits be asked. */
async function answered<Found>(work: Promise<Found>): Promise<Found> {
  const state = { isDone: false }
  const done = work.finally(() => Object.assign(state, { isDone: true }))
  while (!state.isDone) {
    endPause()
    await new Promise(setImmediate)
  }
  return done
}

it('finds a connection by its address, and by no other', async () => {
  expect(await findWebhookConnection(deps, 'example', 'int_1')).toEqual(found)
  for (const [provider, id] of [
    ['other', 'int_1'],
    ['example', 'int_2'],
    ['example', "int_1' or true"],
  ] as const) {
    expect(await answered(findWebhookConnection(deps, provider, id))).toBeUndefined()
  }
})

it('asks the database once for all addresses that nobody has, and not for the one that is known', async () => {
  await answered(findWebhookConnection(deps, 'example', 'int_1'))
  questions = 0
  const strangers = Array.from({ length: 500 }, () => newId('int', now))
  const lookups = strangers.map((id) => findWebhookConnection(deps, 'example', id))
  expect(await findWebhookConnection(deps, 'example', 'int_1')).toEqual(found)
  const results = await answered(Promise.all(lookups))
  expect(new Set(results)).toEqual(new Set([undefined]))
  // The first may have been alone.
  expect(questions).toBeLessThanOrEqual(2)
})

it('refuses more addresses at once than it may ask for', async () => {
  const strangers = Array.from({ length: 1_500 }, () => newId('int', now))
  const lookups = strangers.map((id) =>
    findWebhookConnection(deps, 'example', id).catch((error: unknown) => error),
  )
  const results = await answered(Promise.all(lookups))
  const refused = results.filter((result) => result !== undefined)
  expect(refused.length).toBeGreaterThanOrEqual(499)
  expect(refused[0]).toMatchObject({ code: 'overloaded' })
})

it('keeps the secrets sealed', async () => {
  const [row] = await test.asOwner<{ sealed: Buffer }>('select sealed from integration_webhooks')
  expect(row?.sealed.includes(Buffer.from(secret))).toBe(false)
})

it('finds none once the connection has ended', async () => {
  await test.asOwner(`update integrations set state = 'disconnected'`)
  expect(await answered(findWebhookConnection(deps, 'example', 'int_1'))).toBeUndefined()
  await test.asOwner(`update integrations set state = 'reauth_required'`)
  expect(await answered(findWebhookConnection(deps, 'example', 'int_1'))).toEqual(found)
})
