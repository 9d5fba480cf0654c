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
    expect(titleOf()).toBe('⚠️ Jira has to be connected again')
    await setState('connected')
    await tell('int_9')
    expect(app.chat.messages).toHaveLength(1)
    expect(titleOf()).toBe('✅ Jira works again')
    // The next trouble is news: nobody looks at the old message any more.
    await setState('reauth_required')
    await tell('int_9')
    await tell('int_9')
    expect(app.chat.messages).toHaveLength(2)
    expect([titleOf(0), titleOf(1)]).toEqual([
      '✅ Jira works again',
      '⚠️ Jira has to be connected again',
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
         '{"state":"revoked","detail":"The App was uninstalled at GitHub."}')`,
      [app.orgId],
    )
    await tell('int_9')
    await tell('int_9')
    expect(app.chat.messages).toHaveLength(1)
    expect(titleOf()).toBe('⚪ GitHub was disconnected')
    expect(JSON.stringify(app.chat.messages[0])).toMatch(/uninstalled at GitHub.*Connect it again/)
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
  async function addVersion(id: string) {
    const author = { type: 'user', id: 'usr_1', name: 'Ada' }
    const changes = [
      { key: 'stripeKey', tier: 'secret', change: 'changed' },
      { key: 'apiUrl', tier: 'public', change: 'changed', before: 'x', after: secret },
    ]
    await app.test.asOwner(
      `with schema as (insert into config_schemas (org_id, id, name, definition) values ($1, 'sch_1', 'web', '{}')),
         head as (insert into config_heads (org_id, schema_id, environment_id, version, browser_version, open_values,
           secret_values) values ($1, 'sch_1', $2, 1, 1, '{}', '{}'))
       insert into config_versions (org_id, schema_id, environment_id, version, id, kind, author, changes, open_values,
         secret_values) values ($1, 'sch_1', $2, 1, $3, 'write', $4, $5, $6, '{}')`,
      [
        app.orgId,
        app.environmentId,
        id,
        JSON.stringify(author),
        JSON.stringify(changes),
        JSON.stringify({ apiUrl: { value: secret } }),
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

  it('goes to the routes that want it', async () => {
    await app.addRoute({ events: ['protected_configuration'] })
    await addVersion('ver_1')
    await tell('ver_1')
    expect(app.chat.messages).toMatchObject([{ channelId: 'C2' }])
  })
})
