import { generateKeyPairSync } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemAuthor } from '../../audit/audit-event.ts'
import { generateRootKey, type RootKey } from '../../crypto/root-key.ts'
import { bootstrapToken } from '../../identity/testing/open-identity-app.ts'
import { exportDatabase } from '../../store/export-database.ts'
import { importDatabase } from '../../store/import-database.ts'
import { openStore } from '../../store/open-store.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { silentLog } from '../../telemetry/log.ts'
import { verifyRootKeys } from '../../vault/verify-root-keys.ts'
import { rotateRootKey } from '../../vault/rotate-root-key.ts'
import { jira as jiraProvider } from '../../providers/jira/index.ts'
import { createServerKeys } from '../../vault/server-keys.ts'
import { createProviderApps } from './create-provider-apps.ts'
import { putProviderAppRow } from './provider-app-rows.ts'
import { sealApp } from './sealed-app.ts'
import { openProviderAppsApp, type ProviderAppsApp } from '../testing/open-provider-apps-app.ts'

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const secrets = {
  githubClient: 'github-client-secret-0001',
  hookOld: 'github-webhook-secret-old',
  hookNew: 'github-webhook-secret-new',
  jiraClient: 'jira-client-secret-000001',
  slackClient: 'slack-client-secret-00001',
  signing: 'slack-signing-secret-0001',
}
const github = {
  provider: 'github',
  appId: '12345',
  slug: 'signalbox-acme',
  clientId: 'Iv1.abc',
  clientSecret: secrets.githubClient,
  privateKey,
  webhookSecret: secrets.hookOld,
}
const jira = { provider: 'jira', clientId: 'jira-id', clientSecret: secrets.jiraClient }
const slack = {
  provider: 'slack',
  clientId: '1.2',
  clientSecret: secrets.slackClient,
  signingSecret: secrets.signing,
}

/** The middle of the key: its first and last lines are in every key. */
const known = [...Object.values(secrets), privateKey.split('\n')[5] ?? 'no key']

let app: ProviderAppsApp
const logged: unknown[] = []
const log = {
  info() {},
  warn: (...given: unknown[]) => void logged.push(given),
}
beforeAll(async () => {
  app = await openProviderAppsApp({ log })
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.test.asOwner('delete from provider_apps')
  await app.feed.refresh()
})

const put = (body: { readonly provider: string; readonly [field: string]: unknown }) =>
  app.asOwner(`PUT /server/provider-apps/${body.provider}`, { body })
const list = async () =>
  (await app.asOwner('GET /server/provider-apps')).body.items as Record<string, unknown>[]
const listed = async (...names: readonly string[]) =>
  (await list()).filter(({ provider }) => names.includes(String(provider)))
const eventsOf = (action: string) =>
  app.test.asOwner<{ actor: unknown; detail: Record<string, unknown> }>(
    `select actor, detail from audit_events where org_id = 'server' and action = $1 order by sequence`,
    [action],
  )

async function dumpDatabase(): Promise<string> {
  const tables = await app.test.asOwner<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  let dump = ''
  for (const { name } of tables) {
    dump += JSON.stringify(await app.test.asOwner(`select t::text from "${name}" t`))
  }
  return dump
}

/** The texts of which a dump holds some, be it as text or as bytes. */
const heldBy = (dump: string) =>
  known.filter(
    (text) =>
      dump.includes(text) ||
      dump.includes(Buffer.from(text).toString('hex')) ||
      dump.includes(Buffer.from(text).toString('base64').slice(0, 20)),
  )

describe('an application that is stored', () => {
  it('is in force with the answer, and shows what to enter at the provider', async () => {
    for (const body of [github, jira, slack]) expect((await put(body)).status).toBe(200)
    expect(await listed('github', 'jira', 'slack')).toMatchObject([
      {
        provider: 'github',
        isSetUp: true,
        source: 'stored',
        fields: [
          { name: 'appId', isIdentity: true, value: '12345' },
          { name: 'slug', isIdentity: false, value: 'signalbox-acme' },
          { name: 'clientId', isSecret: false, isIdentity: true, value: 'Iv1.abc' },
          { name: 'clientSecret', isSecret: true, isRequired: true, value: null },
          { name: 'privateKey', isSecret: true, isMultiline: true, value: null },
          { name: 'webhookSecret', isSecret: true, isRequired: false, value: null },
        ],
        setupUrl: '/setup/github-app',
        acceptsWebhooks: true,
        callbackUrl: 'http://127.0.0.1:4400/integrations/codehost/oauth/callback',
        // GitHub takes no address of this machine.
        webhookUrl: 'https://signalbox.invalid/webhooks/codehost',
        permissions: {
          deployments: 'write',
          checks: 'write',
          pull_requests: 'read',
          actions: 'write',
        },
        updatedBy: { name: 'Ada' },
      },
      { provider: 'jira', setupUrl: null, webhookUrl: null, acceptsWebhooks: null },
      { provider: 'slack', scopes: expect.arrayContaining(['chat:write']) },
    ])
    const { find } = app.feed
    expect(find('github')).toMatchObject({
      values: { privateKey },
      webhookSecrets: [secrets.hookOld],
    })
    expect(find('jira')).toMatchObject({ values: { clientSecret: secrets.jiraClient } })
    expect(find('slack')).toMatchObject({ webhookSecrets: [secrets.signing] })
    expect(find('github')).toBe(find('github'))
  })

  it('has its secrets in no answer, no log, no event and not in the database', async () => {
    const answers = []
    for (const body of [github, jira, slack]) answers.push(await put(body))
    answers.push(await put({ ...github, webhookSecret: secrets.hookNew }))
    answers.push(await put({ ...github, privateKey: privateKey.slice(0, 400) }))
    answers.push(await put({ ...github, clientId: 5, nothing: secrets.hookNew }))
    answers.push(await app.asOwner('GET /server/provider-apps'))
    await app.test.asOwner(`update provider_apps set sealed = sealed || '\\x00', revision = 9`)
    await app.feed.refresh()
    expect(logged).toHaveLength(3)
    expect(['github', 'jira', 'slack'].map(app.feed.find)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    const texts = answers.map(({ text }) => text).join()
    expect(heldBy(texts + JSON.stringify(logged) + String(logged.flat().map(String)))).toEqual([])
    expect(heldBy(await dumpDatabase())).toEqual([])
  })

  it('control: the search finds a secret that is in the database', async () => {
    await app.test.asOwner(
      `insert into provider_apps (provider, sealed, updated_at, updated_by) values ('jira', $1, now(), '{}')`,
      [Buffer.from(`x${secrets.jiraClient}x`)],
    )
    expect(heldBy(await dumpDatabase())).toEqual([secrets.jiraClient])
  })

  it('keeps the secrets that are left out, of the same application only', async () => {
    await put(github)
    const { clientSecret: _one, privateKey: _two, webhookSecret: _three, ...rest } = github
    expect((await put({ ...rest, slug: 'renamed' })).body.fields).toContainEqual(
      expect.objectContaining({ name: 'slug', value: 'renamed' }),
    )
    expect(app.feed.find('github')?.values).toMatchObject({ slug: 'renamed', privateKey })
    const other = await put({ ...rest, appId: '999' })
    expect(other.body).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/clientSecret' }, { pointer: '/privateKey' }],
    })
    expect(app.feed.find('github')?.values['appId']).toBe('12345')
    expect((await eventsOf('provider_app.changed')).at(-1)?.detail).toEqual({
      origin: 'entered',
      changed: ['slug'],
    })
  })

  it('is refused with every field that is empty named at once', async () => {
    const empty = await put({ provider: 'slack', clientId: '' })
    expect(empty.body).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/clientId' }, { pointer: '/clientSecret' }],
    })
  })

  it('is refused with white space in an ID or a secret', async () => {
    const spaced = {
      ...slack,
      clientId: 'http://my server .example',
      clientSecret: 'two words '.repeat(3),
    }
    const detail = 'This field must not contain spaces. Copy the value again.'
    expect((await put(spaced)).body.errors).toMatchObject([
      { pointer: '/clientId', detail },
      { pointer: '/clientSecret', detail },
    ])
  })

  it('is refused with a key that is none, and under another provider', async () => {
    const broken = await put({ ...github, privateKey: '-----BEGIN PRIVATE KEY-----' })
    expect(broken.body.errors).toMatchObject([{ pointer: '/privateKey' }])
    const misplaced = await app.asOwner('PUT /server/provider-apps/jira', { body: slack })
    expect(misplaced.body.errors).toMatchObject([{ pointer: '/provider' }])
    const unknown = await app.asOwner('PUT /server/provider-apps/nobody', { body: slack })
    expect(unknown.status).toBe(404)
    expect(await listed('github', 'jira', 'slack')).toMatchObject([
      { isSetUp: false },
      { source: null },
      { isStored: false },
    ])
  })

  it('is forgotten, once', async () => {
    await put(jira)
    const remove = () => app.asOwner('DELETE /server/provider-apps/jira')
    expect((await remove()).status).toBe(204)
    expect(app.feed.find('jira')).toBeUndefined()
    expect((await remove()).status).toBe(404)
    expect(await eventsOf('provider_app.deleted')).toHaveLength(1)
  })
})

describe('a webhook secret that is replaced', () => {
  const secretsNow = () => app.feed.find('github')?.webhookSecrets

  it('is good beside the new one for a day', async () => {
    await put(github)
    const answer = await put({ ...github, webhookSecret: secrets.hookNew })
    expect(secretsNow()).toEqual([secrets.hookNew, secrets.hookOld])
    const until = Date.parse(answer.body.previousSecretUntil)
    let at = until - 1
    const now = () => new Date(at)
    const later = createProviderApps({ ...app.deps, store: app.test.store, log, now })
    await later.refresh()
    expect(later.find('github')?.webhookSecrets).toEqual([secrets.hookNew, secrets.hookOld])
    at = until
    expect(later.find('github')?.webhookSecrets).toEqual([secrets.hookNew])
    later.close()
    expect(until - app.clock.now().getTime()).toBeLessThanOrEqual(24 * 3600 * 1000)
  })

  it('ends when the new one is confirmed', async () => {
    await put(github)
    const end = () =>
      app.call('DELETE /server/provider-apps/github/previous-secret', { as: bootstrapToken })
    expect((await end()).status).toBe(404)
    await app.call('PUT /server/provider-apps/github', {
      as: bootstrapToken,
      body: { ...github, webhookSecret: secrets.hookNew },
    })
    expect((await end()).status).toBe(204)
    expect(secretsNow()).toEqual([secrets.hookNew])
    expect((await eventsOf('provider_app.previous_secret_ended')).at(-1)?.actor).toMatchObject({
      type: 'bootstrap',
    })
  })

  it('ends at once when no webhook is to be accepted', async () => {
    await app.call('PUT /server/provider-apps/github', { as: bootstrapToken, body: github })
    const body = { ...github, webhookSecret: null }
    await app.call('PUT /server/provider-apps/github', { as: bootstrapToken, body })
    expect(secretsNow()).toEqual([])
  })
})

describe('the settings', () => {
  it('count before what is stored, of the same provider', async () => {
    const settings = {
      jira: {
        values: { clientId: 'of-settings', clientSecret: 'x'.repeat(20) },
        webhookSecrets: [],
      },
    }
    const { deps, test } = app
    const feed = createProviderApps({ ...deps, store: test.store, settings, log })
    for (const body of [jira, slack]) {
      await app.call(`PUT /server/provider-apps/${body.provider}`, { as: bootstrapToken, body })
    }
    await feed.refresh()
    expect(feed.find('jira')?.values).toMatchObject({ clientId: 'of-settings' })
    expect(feed.find('slack')?.values).toMatchObject({ clientId: '1.2' })
    feed.close()
  })
})

describe('another node', () => {
  it('knows of a change within two seconds, and when it missed the announcement, later', async () => {
    const store = await openStore({
      source: { databaseUrl: app.test.databaseUrl },
      log: silentLog,
    })
    const deps = { keys: app.deps.keys, settings: {}, log, now: app.clock.now }
    const told = createProviderApps({ ...deps, store, intervalMs: 3_600_000 })
    const looking = createProviderApps({
      ...deps,
      store: { maintenance: (work) => store.maintenance(work), onAnnounce: () => () => {} },
      intervalMs: 50,
    })
    // It listens once it has heard of the first change.
    await app.call('PUT /server/provider-apps/jira', { as: bootstrapToken, body: jira })
    for (const feed of [told, looking]) {
      await expect.poll(() => feed.find('jira')?.values['clientId']).toBe('jira-id')
    }
    const body = { ...jira, clientId: 'next' }
    await app.call('PUT /server/provider-apps/jira', { as: bootstrapToken, body })
    for (const feed of [told, looking]) {
      await expect.poll(() => feed.find('jira')?.values['clientId']).toBe('next')
    }
    told.close()
    looking.close()
    await store.close()
  })
})

describe('who runs the server', () => {
  const requests = [
    ['GET /server/provider-apps', undefined],
    ['PUT /server/provider-apps/jira', jira],
    ['DELETE /server/provider-apps/jira', undefined],
    ['DELETE /server/provider-apps/github/previous-secret', undefined],
    ['GET /server/provider-apps/github/manifest', undefined],
  ] as const

  const codesOf = async (as: string) => {
    const codes = []
    for (const [request, body] of requests) {
      codes.push((await app.call(request, { as, ...(body && { body }) })).body?.code)
    }
    return new Set(codes)
  }

  it('is no admin of the first organization, no owner of another one, and no key', async () => {
    const other = await app.addOrganization('Other')
    const admin = await app.addPerson('admin', { [app.owner.orgId]: 'admin' })
    const foreign = await app.addPerson('foreign', { [other]: 'owner' })
    for (const { token } of [admin, foreign]) {
      expect(await codesOf(token)).toEqual(new Set(['role_forbidden']))
    }
    for (const kind of ['m2m', 'b2m']) {
      const { secret } = await app.addKey(app.owner.orgId, { kind })
      expect(await codesOf(secret)).toEqual(new Set(['key_kind_forbidden']))
    }
    expect(await app.test.asOwner('select from provider_apps')).toHaveLength(0)
  })

  it('is another owner of the first organization too', async () => {
    const { token } = await app.addPerson('second', { [app.owner.orgId]: 'owner' })
    expect((await app.call('GET /server/provider-apps', { as: token })).status).toBe(200)
  })

  it('is nobody but who has the bootstrap token once that organization is deleted', async () => {
    const undo = `update organizations set deleted_at = null where id = '${app.owner.orgId}'`
    await app.test.asOwner(undo.replace('null', 'now()'))
    const answer = await app.asOwner('GET /server/provider-apps')
    const withToken = await app.call('GET /server/provider-apps', { as: bootstrapToken })
    await app.test.asOwner(undo)
    expect([answer.body.code, withToken.status]).toEqual(['role_forbidden', 200])
  })

  it('types the password again before anything changes', async () => {
    app.clock.advance(11 * 60_000)
    expect((await put(jira)).body.code).toBe('step_up_required')
    expect((await app.asOwner('GET /server/provider-apps')).status).toBe(200)
  })
})

describe('stored applications', () => {
  const stored = {
    values: { clientId: 'kept', clientSecret: secrets.jiraClient },
    hookSecret: null,
    previousSecret: null,
  }

  async function openSealedStore(rootKey = generateRootKey()) {
    const test = await openTestStore()
    await verifyRootKeys(test, [rootKey])
    const keys = createServerKeys({ rootKeys: () => [rootKey] })
    await test.store.maintenance(async (tx) => {
      const sealed = sealApp(await keys.getSealer(tx), jiraProvider, stored)
      const row = { sealed, updatedAt: new Date(), updatedBy: systemAuthor }
      await putProviderAppRow(tx, { provider: 'jira', ...row })
    })
    return { test, rootKey }
  }

  async function readWith(test: TestStore, rootKey: RootKey) {
    const keys = createServerKeys({
      rootKeys: () => [rootKey],
    })
    const deps = { store: test.store, keys, settings: {}, log, now: () => new Date() }
    const feed = createProviderApps(deps)
    await feed.refresh().finally(() => feed.close())
    return feed.find('jira')?.values['clientSecret']
  }

  it('open after the root key was replaced, with the next one alone', async () => {
    const { test, rootKey } = await openSealedStore()
    const to = generateRootKey()
    await rotateRootKey(test, { from: rootKey, to, actor: systemAuthor })
    expect(await readWith(test, to)).toBe(secrets.jiraClient)
    await expect(readWith(test, rootKey)).rejects.toMatchObject({ code: 'sealed' })
    await test.close()
  })

  it('are in an export, sealed, and open where it is imported', async () => {
    const { test, rootKey } = await openSealedStore()
    const target = await openTestStore()
    const file = new PassThrough()
    const now = () => new Date()
    const chunks: Buffer[] = []
    file.on('data', (chunk: Buffer) => chunks.push(chunk))
    await exportDatabase(test.store, file, { now })
    const input = new PassThrough()
    input.end(Buffer.concat(chunks))
    await importDatabase(target.store, input, { rootKeyIds: [rootKey.id] })
    expect(await readWith(target, rootKey)).toBe(secrets.jiraClient)
    await Promise.all([test.close(), target.close()])
  })
})
