import type { Attention, Overview } from '@signalbox/contract/rest'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addMember } from '../configs/testing/add-member.ts'
import { sealDefaults } from '../configs/schemas/shown-schema.ts'
import { newId } from '../crypto/ids.ts'
import { listFailingOutlets } from '../read-models/overview/failing-outlet-rows.ts'
import { attentionOfOutlet } from './attention-of-outlet.ts'
import { openOverviewApp, type OverviewApp } from './testing/open-overview-app.ts'

let opened: OverviewApp
let app: OverviewApp
beforeAll(async () => {
  opened = await openOverviewApp()
})
beforeEach(async () => {
  app = await opened.another()
})
afterAll(() => opened.close())

const read = async (as = 'viewer'): Promise<Overview> => (await app.ok(as, 'GET /overview')).body
const codes = ({ needsYou }: Overview) => needsYou.map(({ code }: Attention) => code)
const hour = 3600 * 1000
const ago = (ms: number) => new Date(app.at.getTime() - ms)

describe('the overview of an organization', () => {
  it('is empty but for what is to be set up, where nothing happened yet', async () => {
    const overview = await read()
    expect(overview).toMatchObject({ environments: [], needsYou: [] })
    expect(overview.setup.map(({ step, done }) => [step, done])).toEqual([
      ['codehost', false],
      ['tracker', false],
      ['chat', false],
      ['schema', false],
      ['first_read', false],
    ])
  })

  it('shows the newest deployment of each environment, what runs there, and the tests of the newest', async () => {
    const environmentId = await app.addEnvironment('production')
    const staging = await app.addEnvironment('staging')
    const live = await app.addDeployment({
      environmentId,
      createdAt: ago(hour),
      message: 'Add a\n\nb',
    })
    const latest = await app.addDeployment({ environmentId, state: 'failure' })
    await app.addTestRun({ deploymentId: latest, state: 'passed', passed: 411, durationMs: 74_000 })
    const { environments } = await read()
    expect(environments).toMatchObject([
      {
        id: environmentId,
        name: 'production',
        latest: { id: latest, state: 'failure', title: null },
        live: { id: live, state: 'success', title: 'Add a', repository: 'acme/shop' },
        tests: { state: 'passed', passed: 411, durationMs: 74_000, contaminated: false },
      },
      { id: staging, latest: null, live: null, tests: null },
    ])
  })

  it('counts required keys that are missing, and keys that differ from the parent or the environment before', async () => {
    const staging = await app.addEnvironment('staging')
    const production = await app.addEnvironment('production')
    const preview = await app.addEnvironment('preview', staging)
    const schemaId = await app.addSchema('web', {
      url: { type: 'string', tier: 'public', required: true },
      limit: { type: 'number', tier: 'public', default: 1 },
      token: { type: 'string', tier: 'secret', required: true },
      beta: { type: 'boolean', tier: 'featureFlags', default: false },
    })
    const set = (environmentId: string, values: object) =>
      app.ok('developer', 'PUT /config-values', { body: { schemaId, environmentId, values } })
    await set(staging, { url: 'https://staging.example.com', token: 's3cret', beta: true })
    await set(production, { token: 'another' })
    await set(preview, { limit: 2 })
    const shown = async () =>
      (await read()).environments.map(({ missingKeys, drift }) => [
        missingKeys,
        drift?.keys ?? null,
      ])
    // Secrets that both have are not compared.
    expect(await shown()).toEqual([
      [0, null],
      [1, 2],
      [0, 1],
    ])
    await set(production, { url: 'https://example.com' })
    expect((await shown())[1]).toEqual([0, 2])
    const { schema } = (await app.ok('viewer', `GET /config-schemas/${schemaId}`)).body
    await app.ok('developer', `PUT /config-schemas/${schemaId}`, {
      body: { schema: { ...schema, url: { ...schema.url, expectedToDiffer: true } } },
    })
    expect((await shown())[1]).toEqual([0, 1])
    expect((await read()).environments[1]).toMatchObject({
      missingBySchema: [],
      drift: { environmentId: staging, bySchema: [{ schemaId, schema: 'web', count: 1 }] },
    })
    expect(codes(await read())).toEqual([])
  })

  it('says what needs a person, errors first, each with its way to mend it', async () => {
    const environmentId = await app.addEnvironment('production')
    await app.addSchema('web', {
      url: { type: 'string', tier: 'public', required: true },
      old: { type: 'boolean', default: false, expires: '2020-01-31' },
    })
    const deployed = await app.addDeployment({ environmentId })
    await app.addTestRun({
      deploymentId: deployed,
      state: 'failed',
      failed: 2,
      contaminatedBy: deployed,
    })
    const { orgId, test } = app
    await test.asOwner(
      `with i as (insert into integrations (org_id, id, kind, provider, state, settings) values
          ($1, 'int_1', 'chat', 'slack', 'connected', '{"defaultChannelId":"C1","defaultChannelName":"deploys"}'),
          ($1, 'int_2', 'tracker', 'jira', 'reauth_required', '{}')),
        n as (insert into notifications (org_id, id, subject_kind, subject_id, state, reason)
          values ($1, 'ntf_1', 'deployment', $2, 'broken', 'not_in_channel')),
        w as (insert into received_webhooks (id, provider, delivery_id, org_id, event, headers, body, origin, state)
          values ('dlv_1', 'github', 'g1', $1, 'push', '{}', '\\x00', 'push', 'dead')),
        o as (insert into outgoing_webhooks (org_id, id, name, url, events, format, enabled, sealed_secrets, has_authorization,
            health_reason, failing_since, created_at)
          select $1, id, id, 'https://e.test', '{}', 'generic', enabled, '\\x00', false, reason, now(), now()
          from (values ('whk_1', true, 'http_503'), ('whk_2', false, 'http_410'), ('whk_3', false, 'timeout'),
            ('whk_4', true, null)) as given (id, enabled, reason)),
        t as (insert into targets (org_id, id, name, schema_id, environment_id, provider, destination, address, address_data,
            destination_name, tiers, keys, prefix, state, health_reason, health_detail, health_step, failing_since, created_at)
          select $1, id, id, 's', 'e', 'github', '{}', id, '{}', 'd', '{}', '{}', '', state, reason, 'It is gone.', 'Look there.',
            now(), now() from (values ('tgt_1', 'active', 'not_found'), ('tgt_2', 'paused', 'not_found'),
            ('tgt_3', 'paused', 'maker_left')) as given (id, state, reason)),
        j as (insert into failed_jobs (id, org_id, queue, job_id, data, data_hash, cause, reason, attempts, failed_at)
          values ('job_1', $1, 'q', gen_random_uuid(), '{}', '\\x00', 'failed', 'r', 1, now())),
        s as (insert into syncs (org_id, id, depth, state, progress, detail, finished_at) values
            ($1, 'syn_1', 'full', 'failed', '{}', 'away', now()), ($1, 'syn_2', 'issues', 'done', '{}', null, now()))
      insert into api_keys (org_id, id, name, kind, created_by, expires_at)
        values ($1, $3, 'ci', 'm2m', '{}', now() + interval '3 days')`,
      [orgId, deployed, newId('key', app.at)],
    )
    const overview = await read()
    expect(codes(overview).toSorted()).toEqual([
      'failed_jobs',
      'flags_overdue',
      'integration_attention',
      'key_expires',
      'message_failed',
      'missing_keys',
      'outgoing_webhook_failing',
      'outgoing_webhook_failing',
      'sync_failed',
      'target_failing',
      'target_failing',
      'tests_contaminated',
      'tests_failed',
      'webhooks_failed',
    ])
    const severities = overview.needsYou.map(({ severity }) => severity)
    expect(severities).toEqual(severities.toSorted())
    expect(overview.needsYou.find(({ code }) => code === 'message_failed')).toMatchObject({
      title: '1 message couldn’t be sent to #deploys',
      detail: expect.stringContaining('/invite @Signalbox'),
      next: { label: 'Fix', href: '/integrations/chat' },
    })
    const ofWebhooks = overview.needsYou.filter(({ code }) => code === 'outgoing_webhook_failing')
    expect(ofWebhooks).toMatchObject([
      {
        title: 'The outgoing webhook whk_2 is switched off',
        next: { href: '/outgoing-webhooks?webhook=whk_2&panel=change' },
      },
      {
        title: 'The outgoing webhook whk_1 is failing',
        detail: 'The receiver answered 503. Signalbox tries each message again.',
        next: { href: '/outgoing-webhooks?webhook=whk_1&panel=messages' },
      },
    ])
    // A person paused `tgt_2` and knows. `tgt_3` was paused because its maker left, and nobody may have noticed.
    const ofTargets = overview.needsYou.filter(({ code }) => code === 'target_failing')
    expect(new Set(ofTargets.map(({ subjectId }) => subjectId))).toEqual(
      new Set(['tgt_1', 'tgt_3']),
    )
    expect(ofTargets.find(({ subjectId }) => subjectId === 'tgt_1')).toMatchObject({
      title: 'The target tgt_1 is failing',
      detail: 'It is gone. Look there.',
      next: { href: '/targets?target=tgt_1' },
    })
    const ofTests = overview.needsYou.find(({ code }) => code === 'tests_failed')
    expect(ofTests?.detail).toMatch(/^2 failed\. Deployed: acme\/shop \w{7} on main\.$/)
    expect(overview.needsYou.find(({ code }) => code === 'tests_contaminated')?.detail).toMatch(
      /during the run for acme\/shop \w{7}\. Run the tests again\.$/,
    )
    const { at, around } = ofTests ?? {}
    const moment = encodeURIComponent(at ?? '')
    expect(around).toEqual({
      label: 'Around this moment',
      href: `/timeline?environment=${environmentId}&at=${moment}&mark=${deployed}`,
    })
    for (const code of ['message_failed', 'webhooks_failed', 'failed_jobs', 'sync_failed']) {
      const item = overview.needsYou.find((each) => each.code === code)
      expect(item?.around).toEqual({
        label: 'Around this moment',
        href: `/timeline?at=${encodeURIComponent(item?.at ?? '')}`,
      })
    }
    for (const code of ['key_expires', 'missing_keys', 'integration_attention'])
      expect(overview.needsYou.find((each) => each.code === code)?.around).toBeNull()
    expect(overview.setup.find(({ step }) => step === 'chat')?.done).toBe(true)
  })

  it('names a stored default that a coercion made, also a secret one, and never shows it', async () => {
    const { deps, orgId } = app
    const id = await app.addSchema('shop', {
      sessionSecret: { type: 'string', default: 'hush' },
      title: { type: 'string', tier: 'public', default: 'null and void' },
    })
    expect(codes(await read())).not.toContain('default_of_nothing')
    // As an earlier version stored it.
    const sealed = await deps.store.transaction({ orgId }, async (tx) =>
      sealDefaults(await deps.keys.getSealer(tx, orgId), { orgId, schemaId: id }, [
        ['sessionSecret', 'undefined'],
      ]),
    )
    await app.test.asOwner(
      'update config_schemas set secret_defaults = $2, revision = revision + 1 where id = $1',
      [id, JSON.stringify(sealed)],
    )
    const found = (await read()).needsYou.filter(({ code }) => code === 'default_of_nothing')
    expect(found).toMatchObject([
      {
        severity: 'error',
        title: 'sessionSecret has a default that anyone can guess',
        next: { href: `/config?schema=${id}` },
      },
    ])
  })

  it('says once that the chat is to be connected again, with the messages that wait for it', async () => {
    const environmentId = await app.addEnvironment('production')
    const deployed = await app.addDeployment({ environmentId })
    await app.test.asOwner(
      `with i as (insert into integrations (org_id, id, kind, provider, state, settings) values
          ($1, 'int_1', 'chat', 'slack', 'reauth_required', '{"defaultChannelId":"C1","defaultChannelName":"deploys"}'))
      insert into notifications (org_id, id, subject_kind, subject_id, state, reason) values
        ($1, 'ntf_1', 'deployment', $2, 'held', 'account_inactive'),
        ($1, 'ntf_2', 'deployment_details', $2, 'held', 'account_inactive')`,
      [app.orgId, deployed],
    )
    expect((await read()).needsYou).toMatchObject([
      {
        code: 'integration_attention',
        title: 'Connect Slack again',
        detail: 'Slack revoked access. 2 messages to #deploys wait for this.',
        next: { label: 'Connect again', href: '/integrations/chat' },
      },
    ])
  })

  it('says where too few members may approve, once some have left', async () => {
    const [, ben, eve] = [
      await addMember(app, 'ada'),
      await addMember(app, 'ben'),
      await addMember(app, 'eve'),
    ]
    const body = { name: 'production', protection: { approvals: 2 } }
    const { id } = (await app.ok('admin', 'POST /environments', { body })).body
    await app.addEnvironment('free')
    expect((await read()).needsYou).toEqual([])
    const leave = (userId: string) =>
      app.test.asOwner('delete from members where org_id = $1 and user_id = $2', [
        app.orgId,
        userId,
      ])
    await leave(eve)
    const item = {
      code: 'approvers_missing',
      subjectId: id,
      next: { label: 'Choose approvers', href: `/environments?panel=edit&environment=${id}` },
    }
    expect((await read()).needsYou).toMatchObject([
      {
        ...item,
        severity: 'warning',
        title: 'Too few members approve changes of production',
        detail:
          'Changes of production need 2 approvals, and 2 members may approve, none of them their own change. Let more people approve, or ask for fewer approvals.',
      },
    ])
    await leave(ben)
    expect((await read()).needsYou).toMatchObject([
      {
        ...item,
        severity: 'error',
        title: 'Nobody can get a change of production approved',
        detail:
          'Changes of production need 2 approvals, and 1 member may approve. Let more people approve, or ask for fewer approvals.',
      },
    ])
    await addMember(app, 'fay')
    await addMember(app, 'gil', 'admin')
    expect((await read()).needsYou).toEqual([])
  })

  it('says to everyone when an owner may choose other approvers alone, and for a week that one has', async () => {
    const [ada, ben] = [await addMember(app, 'ada'), await addMember(app, 'ben')]
    const protection = { approvals: 1, approvers: { members: [ada, ben] }, override: 'nobody' }
    const body = { name: 'production', protection }
    const { id } = (await app.ok('admin', 'POST /environments', { body })).body
    await app.test.asOwner('delete from members where org_id = $1', [app.orgId])
    const moveSince = (since: Date) =>
      app.test.asOwner('update stuck_policies set since = $2 where org_id = $1', [app.orgId, since])
    await moveSince(ago(71 * hour))
    const from = ago(-hour).toISOString()
    const detailOf = async () => (await read()).needsYou.map(({ detail }: Attention) => detail)
    expect(await detailOf()).toEqual([
      `Changes of production need 1 approval, and no member may approve. Let more people approve, or ask for fewer approvals. An owner may choose other approvers alone from ${from.slice(0, 10)}, ${from.slice(11, 16)} UTC, if nobody can approve until then.`,
    ])
    await moveSince(ago(72 * hour))
    expect((await detailOf())[0]).toMatch(/ An owner may now choose other approvers alone\.$/)
    const noteReplaced = (at: Date) =>
      app.test.asOwner('update environments set approvals = 0, approvers_replaced = $1', [
        JSON.stringify({ member: 'Olga', at: at.toISOString() }),
      ])
    await noteReplaced(ago(hour))
    expect((await read()).needsYou).toMatchObject([
      {
        severity: 'warning',
        code: 'approvers_replaced',
        subjectId: id,
        title: 'Olga chose who approves changes of production, without an approval',
      },
    ])
    await noteReplaced(ago(7 * 24 * hour + 1))
    expect((await read()).needsYou).toEqual([])
  })

  it('tells operators, and nobody else, that the audit log does not reach its receiver', async () => {
    await app.test.asOwner(
      `insert into audit_outlets (name, reason, failing_since) values ('otlp', 'http_503', now()), ('stdout', null, null)`,
    )
    for (const role of ['owner', 'viewer']) {
      const id = `usr_${role}`
      await app.test.asOwner('insert into users (id, email, name) values ($1, $1, $1)', [id])
      await app.test.asOwner('insert into members (org_id, user_id, role) values ($1, $2, $3)', [
        app.orgId,
        id,
        role,
      ])
    }
    const shownTo = async (userId: string | null) => {
      const { orgId, test } = app
      const scope = { orgId, userId }
      const failing = await test.store.transaction(scope, (tx) =>
        listFailingOutlets(tx, orgId, userId),
      )
      return failing.map(attentionOfOutlet)
    }
    expect(await shownTo('usr_owner')).toEqual([])
    await app.test.asOwner(
      `insert into setup (token_hash, completed_at, first_org_id) values ('', now(), $1)
      on conflict (singleton) do update set first_org_id = $1`,
      [app.orgId],
    )
    expect([await shownTo('usr_viewer'), await shownTo(null)]).toEqual([[], []])
    expect(await shownTo('usr_owner')).toMatchObject([
      {
        severity: 'error',
        code: 'audit_log_waiting',
        title: 'The audit log doesn’t reach its OTLP receiver',
        detail: 'The receiver answered 503. The events wait, and Signalbox tries again.',
        next: { href: '/settings' },
      },
    ])
  })

  it('asks for a channel where a connected chat has none, and to connect a chat again that takes no messages', async () => {
    const environmentId = await app.addEnvironment('production')
    const deployed = await app.addDeployment({ environmentId })
    await app.test.asOwner(
      `with i as (insert into integrations (org_id, id, kind, provider, state) values
          ($1, 'int_1', 'chat', 'slack', 'connected'))
      insert into notifications (org_id, id, subject_kind, subject_id, state, reason, updated_at) values
        ($1, 'ntf_1', 'deployment', $2, 'held', 'no_channel', now()),
        ($1, 'ntf_2', 'deployment_details', $2, 'held', 'account_inactive', now() - interval '1 hour')`,
      [app.orgId, deployed],
    )
    expect((await read()).needsYou).toMatchObject([
      {
        code: 'message_failed',
        detail: 'No channel is chosen.',
        next: { label: 'Choose a channel', href: '/integrations/chat' },
      },
      {
        code: 'message_failed',
        detail: 'Slack isn’t accepting messages from this organization.',
        next: { label: 'Connect again', href: '/integrations/chat' },
      },
    ])
  })
})

describe('the search', () => {
  const find = async (query: string) =>
    (await app.ok('viewer', `GET /search?query=${encodeURIComponent(query)}`)).body.items.map(
      ({ kind, title }: { kind: string; title: string }) => `${kind} ${title}`,
    )

  it('finds what is called so: pages, environments, schemas, keys, and deployments by commit, branch and issue', async () => {
    const environmentId = await app.addEnvironment('staging')
    await app.addSchema('storefront', { stripeKey: { type: 'string' } })
    const id = await app.addDeployment({
      environmentId,
      sha: '075da23'.padEnd(40, '0'),
      ref: 'feature/pay',
    })
    await app.test.asOwner(
      `insert into deployment_issues (org_id, deployment_id, key, state) values ($1, $2, 'SHOP-97', 'linked')`,
      [app.orgId, id],
    )
    expect(await find('sta')).toContain('environment staging')
    expect(await find('store')).toEqual(['schema storefront'])
    expect(await find('STRIPE')).toEqual(['key stripeKey'])
    expect(await find('audit')).toEqual(['page Audit log'])
    const deployment = 'deployment Commit 075da23'
    for (const query of ['075da2', 'shop-97', 'feature/p'])
      expect(await find(query)).toEqual([deployment])
    const [found] = (await app.ok('viewer', 'GET /search?query=075da2')).body.items
    expect(found).toMatchObject({
      detail: expect.stringMatching(/^075da23 · feature\/pay → live · /),
      state: 'success',
      at: expect.stringMatching(/Z$/),
    })
    const groups = [{ when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }] }]
    await app.ok('developer', 'POST /segments', { body: { name: 'paying', anyOf: groups } })
    const named = (await app.ok('viewer', 'GET /search?query=AYIN')).body.items
    expect(named).toMatchObject([
      { kind: 'segment', id: 'paying', title: 'paying', href: '/segments?segment=paying' },
    ])
    await app.test.asOwner(
      `insert into change_requests (org_id, id, number, title, reason, state, kind, revision, version, author, environment_ids,
         created_at, updated_at, expires_at)
       values ($1, 'chr_1', 4711, 'Raise the limit', '', 'waiting', 'values', 1, 1, '{}', '{}', now(), now(), now())`,
      [app.orgId],
    )
    const request = { kind: 'request', title: 'Raise the limit', href: '/requests/4711' }
    for (const query of ['ISE THE', '4711'])
      expect((await app.ok('viewer', `GET /search?query=${query}`)).body.items).toMatchObject([
        request,
      ])
    expect(await find('nothing like it')).toEqual([])
  })

  it('takes the text as it is, and answers at most twenty', async () => {
    for (let n = 0; n < 30; n += 1) await app.addDeployment({ ref: `branch-${n}` })
    for (let n = 0; n < 10; n += 1) await app.addEnvironment(`branch-env-${n}`)
    expect((await find('branch')).length).toBeLessThanOrEqual(20)
    expect(await find('%')).toEqual([])
    expect(await find("b' or 1=1")).toEqual([])
  })

  it('names keys and shows no value', async () => {
    const environmentId = await app.addEnvironment('staging')
    const schemaId = await app.addSchema('web', {
      token: { type: 'string', tier: 'secret', default: 'hidden-default' },
    })
    await app.ok('developer', 'PUT /config-values', {
      body: { schemaId, environmentId, values: { token: 'hidden-value' } },
    })
    const { text } = await app.ok('viewer', 'GET /search?query=token')
    expect(text).toContain('secret key of web')
    expect(text).not.toContain('hidden')
    expect(await find('hidden')).toEqual([])
  })
})
