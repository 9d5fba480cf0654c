import { randomBytes } from 'node:crypto'
import type { IntegrationKind } from '@signalbox/contract/rest'
import { startSandbox, visit, type Sandbox } from '@signalbox/sandbox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { generateRootKey } from '../../crypto/root-key.ts'
import { createEgress, type Egress } from '../../egress/create-egress.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { verifyRootKeys } from '../../vault/verify-root-keys.ts'
import { createOrganizationKeys } from '../../vault/organization-keys.ts'
import { authorizeIntegration } from './authorize-integration.ts'
import { disconnectIntegration } from './disconnect-integration.ts'
import {
  finishAuthorization,
  type FinishAuthorization,
  type FinishDeps,
} from './finish-authorization.ts'
import { callbackUrl } from '../integration-deps.ts'
import { sandboxContexts } from '../testing/sandbox-contexts.ts'
import { revokeIntegration } from './revoke-integration.ts'
import { createConnectors } from './connectors.ts'

const kinds = ['codehost', 'tracker', 'chat'] as const
const publicUrl = () => 'http://127.0.0.1:4400'
const request = { requestId: 'req_1', ip: '192.0.2.1', userAgent: undefined }
const author = { type: 'user', id: 'usr_1', name: 'Ada' } as const
const member = { userId: 'usr_1', sessionId: 'session_1', author }
const caller = (orgId = 'org_1') => ({
  orgId,
  organizationName: 'Acme',
  scope: { orgId, userId: 'usr_1' },
  author,
  request,
})

let test: TestStore
let sandbox: Sandbox
let egress: Egress
let deps: FinishDeps
let admins: Set<string>
let events: string[]

beforeAll(async () => {
  ;[test, sandbox] = await Promise.all([openTestStore(), startSandbox()])
  egress = createEgress({ allow: ['127.0.0.1'] })
  const rootKey = generateRootKey()
  await verifyRootKeys(test, [rootKey])
  const now = () => sandbox.clock.now()
  const keys = createOrganizationKeys({ store: test.store, rootKeys: () => [rootKey], now })
  await test.asOwner(`insert into users (id, email, name) values ('usr_1', 'ada@example.com', 'Ada');
    insert into organizations (id, slug, name) values ('org_1', 'acme', 'Acme'), ('org_2', 'other', 'Other')`)
  for (const orgId of ['org_1', 'org_2']) {
    await test.store.transaction({ orgId }, (tx) => keys.create(tx, orgId))
  }
  deps = {
    store: test.store,
    keys,
    connectorOf: createConnectors(sandboxContexts(sandbox, { egress, now })),
    stateKey: randomBytes(32),
    publicUrl,
    emit: async (_tx, event) => void events.push(event),
    now,
    holdAdmin: async (_tx, orgId) => (admins.has(orgId) ? undefined : 'role_changed'),
  }
})
beforeEach(async () => {
  sandbox.reset()
  const { github, jira, slack } = sandbox
  github.app.callbackUrls = [callbackUrl({ publicUrl }, 'codehost')]
  // Without it, whoever connects an account a second time does not come back.
  github.app.redirectsOnUpdate = true
  jira.app.redirectUris = [callbackUrl({ publicUrl }, 'tracker')]
  slack.app.redirectUris = [callbackUrl({ publicUrl }, 'chat')]
  admins = new Set(['org_1', 'org_2'])
  events = []
  await test.asOwner('delete from integrations')
})
afterAll(async () => {
  await Promise.all([sandbox.close(), egress.close()])
  await test.close()
})

/** Several chats are set up in the sandbox. */
const providers = { codehost: 'github', tracker: 'jira', chat: 'slack' } as const

/** Goes to the provider and comes back, without the last step. */
async function goAndReturn(
  kind: IntegrationKind,
  {
    decision = 'allow',
    orgId = 'org_1',
    choices = {},
  }: { decision?: 'allow' | 'deny'; orgId?: string; choices?: Record<string, string> } = {},
): Promise<FinishAuthorization> {
  const begun = { kind, provider: providers[kind], userId: 'usr_1', returnTo: '/settings' }
  const { url, cookie } = await authorizeIntegration(deps, caller(orgId), begun)
  const back = await visit(url, decision, callbackUrl({ publicUrl }, kind), choices)
  return { kind, query: Object.fromEntries(back), cookie, member, request }
}

const connect = async (kind: IntegrationKind, orgId = 'org_1') =>
  finishAuthorization(deps, await goAndReturn(kind, { orgId }))

const rowOf = async (kind: IntegrationKind) =>
  (
    await test.asOwner(
      `select state, account_id, scopes, revocation, (select count(*)::int from integration_credentials c
         where c.integration_id = i.id) as credentials
       from integrations i where kind = '${kind}'`,
    )
  )[0]

/** As somebody does at GitHub; no webhook tells of it here. */
function uninstall(accountId: unknown): void {
  const { state, installations } = sandbox.github
  const installation = state.installations.get(Number(accountId))
  if (installation !== undefined) installations.uninstall(installation)
}

describe('connecting', () => {
  it.each(kinds)('%s by consent leads back to where the member was', async (kind) => {
    expect(await connect(kind)).toEqual({ outcome: 'connected', kind, returnTo: '/settings' })
    expect(await rowOf(kind)).toMatchObject({ state: expect.stringMatching(/connected|degraded/) })
    expect(events).toEqual([`${kind}.connected`])
  })

  it('of two organizations by one person of GitHub at the same time connects both', async () => {
    const gate = Promise.withResolvers<void>()
    const fault = { kind: 'hold', until: gate.promise } as const
    const slow = await goAndReturn('codehost')
    const fast = await goAndReturn('codehost', { orgId: 'org_2', choices: { account: 'ada' } })
    sandbox.faults.add({ provider: 'github', request: 'GET /user/installations', fault })
    const finishing = finishAuthorization(deps, slow)
    await expect.poll(() => sandbox.faults.list()).toEqual([])
    // It ends its token while the other one is still in use.
    expect(await finishAuthorization(deps, fast)).toMatchObject({ outcome: 'connected' })
    gate.resolve()
    expect(await finishing).toMatchObject({ outcome: 'connected' })
  })

  it('keeps nothing of a person of GitHub, and the tokens of the others sealed', async () => {
    for (const kind of kinds) await connect(kind)
    expect((await rowOf('codehost'))?.['credentials']).toBe(0)
    const [{ dump } = { dump: '' }] = await test.asOwner<{ dump: string }>(
      `select string_agg(c::text, '') || (select string_agg(i::text, '') from integrations i)
         || (select string_agg(s::text, '') from oauth_states s) as dump from integration_credentials c`,
    )
    const given = sandbox.log
      .list()
      .flatMap(({ headers }) => /^Bearer (\S+)$/.exec(headers['authorization'] ?? '')?.[1] ?? [])
    expect(given.length).toBeGreaterThan(0)
    for (const token of given) {
      expect(dump).not.toContain(token)
      expect(dump).not.toContain(Buffer.from(token).toString('hex'))
    }
  })

  it.each(kinds)('%s is refused where access was denied, and changes nothing', async (kind) => {
    // GitHub has no button for that on the page that installs.
    if (kind === 'codehost') return
    const back = await goAndReturn(kind, { decision: 'deny' })
    expect(await finishAuthorization(deps, back)).toEqual({ outcome: 'provider_denied', kind })
    expect(await rowOf(kind)).toBeUndefined()
  })

  it('refuses what is not the answer to the question, before any call is made', async () => {
    const back = await goAndReturn('tracker')
    const asked = sandbox.log.list().length
    const outcomes = []
    for (const changed of [
      { query: { ...back.query, state: undefined } },
      { query: { ...back.query, state: `${back.query.state}x` } },
      { kind: 'chat' },
      { cookie: undefined },
      { cookie: 'A'.repeat(43) },
      { member: undefined },
      { member: { ...member, userId: 'usr_2' } },
    ] as const) {
      outcomes.push((await finishAuthorization(deps, { ...back, ...changed })).outcome)
    }
    expect(outcomes).toEqual([
      'state_invalid',
      'state_invalid',
      'provider_mismatch',
      ...Array.from({ length: 4 }, () => 'session_changed'),
    ])
    expect(sandbox.log.list()).toHaveLength(asked)
    // None of them has used it up.
    expect((await finishAuthorization(deps, back)).outcome).toBe('connected')
  })

  it('takes an answer once, also of two that come at the same moment', async () => {
    const back = await goAndReturn('tracker')
    const both = await Promise.all([
      finishAuthorization(deps, back),
      finishAuthorization(deps, back),
    ])
    expect(both.map(({ outcome }) => outcome).toSorted()).toEqual(['connected', 'state_used'])
    expect((await finishAuthorization(deps, back)).outcome).toBe('state_used')
  })

  it('takes no answer after ten minutes, nor of somebody who administers no more', async () => {
    const late = await goAndReturn('tracker')
    sandbox.clock.advance(10 * 60_000)
    expect((await finishAuthorization(deps, late)).outcome).toBe('state_expired')
    const back = await goAndReturn('tracker')
    admins.clear()
    expect((await finishAuthorization(deps, back)).outcome).toBe('role_changed')
  })

  it('leaves an access alone that is in use, when somebody granted it again who lost the right meanwhile', async () => {
    for (const kind of ['codehost', 'chat'] as const) {
      await connect(kind)
      const before = await rowOf(kind)
      events = []
      for (const orgId of ['org_1', 'org_2']) {
        const back = await goAndReturn(kind, { orgId })
        const answers = [undefined, 'role_changed'] as const
        let asked = 0
        const holdAdmin = async () => answers[asked++]
        const finished = await finishAuthorization({ ...deps, holdAdmin }, back)
        expect(finished).toMatchObject({ outcome: 'role_changed' })
      }
      expect(events).toEqual([])
      expect(await rowOf(kind)).toEqual(before)
    }
  })

  it('refuses an installation that is not of the person, whatever number the address names', async () => {
    const back = await goAndReturn('codehost')
    for (const installationId of ['999999', '1; drop table', undefined]) {
      const again = await goAndReturn('codehost')
      const finished = await finishAuthorization(deps, {
        ...again,
        query: { ...again.query, installation_id: installationId },
      })
      expect(finished.outcome).toBe('account_mismatch')
    }
    expect(await rowOf('codehost')).toBeUndefined()
    expect((await finishAuthorization(deps, back)).outcome).toBe('connected')
  })

  it('says that an owner has to approve, where the member could only ask for the installation', async () => {
    const back = await goAndReturn('codehost')
    const asked = { ...back, query: { state: back.query.state, setup_action: 'request' } }
    expect((await finishAuthorization(deps, asked)).outcome).toBe('approval_requested')
  })

  it('tells a refusal of a person from trouble of the provider and from an application that is not set up right', async () => {
    const outcomes = []
    for (const error of ['access_denied', 'temporarily_unavailable', 'redirect_uri_mismatch']) {
      const back = await goAndReturn('tracker')
      const { outcome } = await finishAuthorization(deps, {
        ...back,
        query: { ...back.query, code: undefined, error },
      })
      outcomes.push(outcome)
    }
    expect(outcomes).toEqual(['provider_denied', 'provider_unavailable', 'exchange_failed'])
  })

  it('says of repositories that were changed at GitHub that they were, and takes no code with it', async () => {
    const returned = await goAndReturn('codehost')
    const query = { ...returned.query, state: undefined, setup_action: 'update' }
    const back = { ...returned, query }
    const asked = sandbox.log.list().length
    expect((await finishAuthorization(deps, back)).outcome).toBe('changed_elsewhere')
    expect(sandbox.log.list()).toHaveLength(asked)
  })

  it('takes the App that is installed on the same account anew, under another number', async () => {
    await connect('codehost')
    const before = (await rowOf('codehost'))?.['account_id']
    uninstall(before)
    // While it is connected, another number is another account.
    expect((await connect('codehost')).outcome).toBe('other_account')
    await test.asOwner(`update integrations set state = 'reauth_required'`)
    expect((await connect('codehost')).outcome).toBe('connected')
    expect((await rowOf('codehost'))?.['account_id']).not.toBe(before)
  })

  it('gives an account to one organization', async () => {
    expect((await connect('chat')).outcome).toBe('connected')
    expect((await connect('chat', 'org_2')).outcome).toBe('account_taken')
    await disconnectIntegration(deps, caller(), { kind: 'chat' })
    expect((await connect('chat', 'org_2')).outcome).toBe('connected')
  })

  it('says that the provider does not answer, and not that it refused', async () => {
    const back = await goAndReturn('chat')
    sandbox.faults.add({
      provider: 'slack',
      request: 'POST /oauth.v2.access',
      fault: { kind: 'cut' },
    })
    expect((await finishAuthorization(deps, back)).outcome).toBe('provider_unavailable')
  })
})

describe('disconnecting', () => {
  it.each(kinds)('%s takes the credential away with the answer', async (kind) => {
    await connect(kind)
    await disconnectIntegration(deps, caller(), { kind })
    expect(await rowOf(kind)).toMatchObject({ state: 'disconnected', credentials: 0 })
    await expect(disconnectIntegration(deps, caller(), { kind })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('has Slack end the token, also when that takes a second try', async () => {
    await connect('chat')
    const [{ id } = { id: '' }] = await test.asOwner<{ id: string }>('select id from integrations')
    await disconnectIntegration(deps, caller(), { kind: 'chat' })
    sandbox.faults.add({ provider: 'slack', request: 'POST /auth.revoke', fault: { kind: 'drop' } })
    const of = { orgId: 'org_1', integrationId: id }
    await expect(revokeIntegration(deps, of)).rejects.toMatchObject({ failure: 'ambiguous' })
    await revokeIntegration(deps, of)
    expect((await rowOf('chat'))?.['revocation']).toMatchObject({ state: 'revoked' })
    const [row] = await test.asOwner('select state, sealed from integration_revocations')
    expect(row).toEqual({ state: 'revoked', sealed: null })
  })

  it.each(['codehost', 'chat'] as const)(
    '%s is not ended at the provider once it is connected again, by whomever',
    async (kind) => {
      for (const orgId of ['org_1', 'org_2']) {
        await test.asOwner('delete from integrations')
        sandbox.reset()
        await connect(kind)
        const [{ id } = { id: '' }] = await test.asOwner<{ id: string }>(
          'select id from integrations',
        )
        await disconnectIntegration(deps, caller(), { kind })
        await connect(kind, orgId)
        const asked = sandbox.log.list().length
        await revokeIntegration(deps, { orgId: 'org_1', integrationId: id })
        expect(sandbox.log.list()).toHaveLength(asked)
        const [row] = await test.asOwner<{ revocation: object; sealed: null }>(
          'select i.revocation, r.sealed from integrations i join integration_revocations r on r.integration_id = i.id',
        )
        expect(row).toMatchObject({ sealed: null, revocation: { state: 'failed' } })
      }
    },
  )

  it('does not claim that an access has ended that nobody could ask for', async () => {
    await connect('chat')
    const [{ id } = { id: '' }] = await test.asOwner<{ id: string }>('select id from integrations')
    await disconnectIntegration(deps, caller(), { kind: 'chat' })
    const withoutApp = { ...deps, connectorOf: () => undefined }
    const of = { orgId: 'org_1', integrationId: id }
    await expect(revokeIntegration(withoutApp, of)).rejects.toMatchObject({ code: 'not_set_up' })
    sandbox.clock.advance(72 * 3600_000)
    await revokeIntegration(withoutApp, of)
    expect((await rowOf('chat'))?.['revocation']).toMatchObject({ state: 'failed' })
  })

  it('says of Jira that it offers no way, and where a person ends the access', async () => {
    await connect('tracker')
    await disconnectIntegration(deps, caller(), { kind: 'tracker' })
    expect((await rowOf('tracker'))?.['revocation']).toMatchObject({
      state: 'not_offered',
      url: expect.stringMatching(/^https:/),
    })
  })
})
