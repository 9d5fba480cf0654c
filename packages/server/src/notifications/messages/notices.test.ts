import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refreshNotifications } from '../sending/refresh-notification.ts'
import { sweepNotifications } from '../sending/release-notifications.ts'
import { sendNotification } from '../sending/send-notification.ts'
import { refreshOf } from '../testing/refresh-of.ts'
import { openNotifications, type Notifications } from '../testing/open-notifications.ts'

let app: Notifications

beforeEach(async () => {
  app = await openNotifications()
})
afterEach(() => app.close())

/** Writes down what is to be told, and sends it until nothing is left. */
async function tell(id: string) {
  await refreshNotifications(app.deps, refreshOf(app.orgId, id))
  for (let round = 0; round < 5; round += 1) {
    app.clock = new Date(app.clock.getTime() + 10_000)
    app.queued.splice(0)
    await sweepNotifications(app.deps)
    for (const happening of app.queued.splice(0)) await sendNotification(app.deps, happening)
  }
}

const titleOf = (index = 0) => app.chat.messages[index]?.message.text.split(' · ')[0]

describe('an integration', () => {
  it('that needs a person is told of, and that it works again, in one message', async () => {
    const setState = (state: string) =>
      app.test.asOwner(
        `insert into integrations (org_id, id, kind, provider, state) values ($1, 'int_9', 'tracker', 'jira', $2)
         on conflict (org_id, id) do update set state = excluded.state`,
        [app.orgId, state],
      )
    await setState('connected')
    await tell('int_9')
    expect(app.chat.messages).toEqual([])
    await setState('reauth_required')
    await tell('int_9')
    expect(titleOf()).toBe('⚠️ Jira needs to be connected again')
    await setState('connected')
    await tell('int_9')
    expect(app.chat.messages).toHaveLength(1)
    expect(titleOf()).toBe('✅ Jira is working again')
    // The next trouble is news: nobody looks at the old message any more.
    await setState('reauth_required')
    await tell('int_9')
    await tell('int_9')
    expect(app.chat.messages).toHaveLength(2)
    expect([titleOf(0), titleOf(1)]).toEqual([
      '✅ Jira is working again',
      '⚠️ Jira needs to be connected again',
    ])
    await setState('disconnected')
    await tell('int_9')
    expect(app.chat.messages).toHaveLength(2)
    expect(titleOf(1)).toBe('⚪ Jira was disconnected')
  })

  it('that somebody ended at its provider is told of, with what to do', async () => {
    await app.test.asOwner(
      `insert into integrations (org_id, id, kind, provider, state, revocation)
       values ($1, 'int_9', 'codehost', 'github', 'disconnected',
         '{"state":"revoked","detail":"The App was uninstalled on GitHub."}')`,
      [app.orgId],
    )
    await tell('int_9')
    await tell('int_9')
    expect(app.chat.messages).toHaveLength(1)
    expect(titleOf()).toBe('⚪ GitHub was disconnected')
    expect(JSON.stringify(app.chat.messages[0])).toMatch(/uninstalled on GitHub.*Connect it again/)
  })

  it('that is the chat itself is told of elsewhere', async () => {
    await app.test.asOwner(
      `insert into integrations (org_id, id, kind, provider, state)
       values ($1, 'int_1', 'chat', 'slack', 'reauth_required')`,
      [app.orgId],
    )
    await tell('int_1')
    expect(app.chat.messages).toEqual([])
    expect(await app.rowOf('int_1', 'integration')).toBeUndefined()
  })
})

describe('configuration', () => {
  const secret = 'sk_live_hunter2'
  const keyChanges = [
    { key: 'stripeKey', tier: 'secret', change: 'changed' },
    { key: 'apiUrl', tier: 'public', change: 'changed', before: 'x', after: secret },
  ]
  const flag = { key: 'newCheckout', tier: 'featureFlags', change: 'changed', before: false }
  const tenPercent = JSON.stringify([{ when: [], serve: { percent: 10 } }])
  async function addVersion(id: string, changes: readonly object[] = keyChanges, version = 1) {
    const author = { type: 'user', id: 'usr_1', name: 'Ada' }
    await app.test.asOwner(
      `with schema as (insert into config_schemas (org_id, id, name, definition) values ($1, 'sch_1', 'web', '{}')
           on conflict do nothing),
         head as (insert into current_values (org_id, schema_id, environment_id, version, browser_version, open_values,
           secret_values) values ($1, 'sch_1', $2, 1, 1, '{}', '{}') on conflict do nothing)
       insert into config_versions (org_id, schema_id, environment_id, version, id, kind, author, changes, open_values,
         secret_values, created_at) values ($1, 'sch_1', $2, $7, $3, 'write', $4, $5, $6, '{}', $8)`,
      [
        app.orgId,
        app.environmentId,
        id,
        JSON.stringify(author),
        JSON.stringify(changes),
        JSON.stringify({ apiUrl: { value: secret } }),
        version,
        app.clock,
      ],
    )
  }

  it('that changed in production is told of by the names of keys, and never by a value', async () => {
    await addVersion('ver_1')
    await tell('ver_1')
    expect(app.chat.messages).toHaveLength(1)
    const said = JSON.stringify(app.chat.messages[0]?.message)
    expect(said).toContain('Keys: stripeKey, apiUrl')
    expect(said).not.toContain(secret)
  })

  it('says of one flag what it was and is, its rules included', async () => {
    await addVersion('ver_1', [{ ...flag, after: false, rulesAfter: tenPercent }])
    await tell('ver_1')
    expect(titleOf()).toBe('🔧 newCheckout in production: off → on for 10%')
  })

  it('names the segment that changed, where the rules of a flag refer to it', async () => {
    const rules = JSON.stringify([
      { when: [{ operator: 'segment', segment: 'staff' }], serve: true },
    ])
    const changed = { rulesBefore: rules, rulesAfter: rules, segments: ['staff'] }
    await addVersion('ver_1', [{ ...flag, after: false, ...changed }])
    await tell('ver_1')
    expect(titleOf()).toBe('🔧 newCheckout in production: segment staff changed: on for staff')
  })

  it('says so of each of several flags, and names the keys of other tiers', async () => {
    await addVersion('ver_1', [
      ...keyChanges,
      { ...flag, after: true },
      { ...flag, key: 'searchBeta', after: false, rulesBefore: tenPercent },
    ])
    await tell('ver_1')
    expect(titleOf()).toBe('🔧 Configuration of production changed: web v1')
    const said = JSON.stringify(app.chat.messages[0]?.message)
    expect(said).toContain('newCheckout: off → on')
    expect(said).toContain('searchBeta: on for 10% → off')
    expect(said).toContain('Keys: stripeKey, apiUrl')
    expect(said).not.toContain(secret)
  })

  it('is told of in the order of its versions, whichever is looked at first', async () => {
    await addVersion('ver_2', [{ ...flag, before: true, after: false }], 2)
    // The message about the first version is not even written down, as when its job is late.
    await addVersion('ver_1', [{ ...flag, after: true }])
    const later = () => {
      app.clock = new Date(app.clock.getTime() + 1000)
    }
    const refresh = (id: string) => refreshNotifications(app.deps, refreshOf(app.orgId, id))
    const send = async () => {
      later()
      for (const job of app.queued.splice(0)) await sendNotification(app.deps, job)
    }
    await refresh('ver_2')
    await send()
    expect(app.chat.messages).toHaveLength(0)
    await refresh('ver_1')
    for (let round = 0; round < 5; round += 1) await send()
    expect([titleOf(0), titleOf(1)]).toEqual([
      '🔧 newCheckout in production: off → on',
      '🔧 newCheckout in production: on → off',
    ])
  })

  it('waits for a message that nobody wanted no longer than fifteen seconds', async () => {
    await addVersion('ver_1', keyChanges)
    await addVersion('ver_2', keyChanges, 2)
    await refreshNotifications(app.deps, refreshOf(app.orgId, 'ver_2'))
    for (let seconds = 0; seconds < 17; seconds += 1) {
      for (const job of app.queued.splice(0)) await sendNotification(app.deps, job)
      expect(app.chat.messages).toHaveLength(seconds < 15 ? 0 : 1)
      app.clock = new Date(app.clock.getTime() + 1000)
    }
  })

  it('goes to the routes that want it', async () => {
    await app.addRoute({ events: ['protected_configuration'] })
    await addVersion('ver_1')
    await tell('ver_1')
    expect(app.chat.messages).toMatchObject([{ channelId: 'C2' }])
  })
})
