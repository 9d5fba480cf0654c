import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { processWebhook } from './process-webhook.ts'
import { openInboxApp, type InboxApp } from './testing/open-inbox-app.ts'

let inbox: InboxApp
let ids: string[]

/** Five webhooks of the organization, the last of them ignored, and one of somebody else. */
beforeAll(async () => {
  inbox = await openInboxApp()
  for (const at of [1, 2, 3, 4]) {
    const body = `{"installation":{"id":7},"repository":{"id":${at},"full_name":"a/b"},"ref":"r","after":"s"}`
    await inbox.send(body, { deliveryId: `d-${at}` })
  }
  await inbox.send('<html>', { deliveryId: 'd-5', event: 'issues' })
  await inbox.send('{"installation":{"id":8}}', { deliveryId: 'd-6' })
  ids = (await inbox.listRows()).map(({ id }) => id)
  await inbox.test.asOwner(
    `update received_webhooks set account_id = '7' where delivery_id = 'd-5'`,
  )
  const owners = new Map([
    ['7', inbox.orgId],
    ['8', inbox.otherOrgId],
  ])
  const findIntegration = (_provider: string, account: string) => {
    const orgId = owners.get(account)
    return Promise.resolve(orgId === undefined ? undefined : { orgId, integrationId: 'int_1' })
  }
  const deps = { ...inbox.processDeps, findIntegration }
  for (const id of ids) await processWebhook(deps, { id, isLastTry: false })
})
afterAll(() => inbox.close())

const namesIn = (body: { items: { deliveryId: string }[] }) =>
  body.items.map(({ deliveryId }) => deliveryId)

describe('the list of webhooks', () => {
  it('shows those of the organization, newest first, page by page', async () => {
    const first = await inbox.ask('GET /webhook-deliveries?limit=3')
    expect(namesIn(first.body)).toEqual(['d-5', 'd-4', 'd-3'])
    const cursor = encodeURIComponent(first.body.nextCursor)
    const second = await inbox.ask(`GET /webhook-deliveries?limit=3&cursor=${cursor}`)
    expect(namesIn(second.body)).toEqual(['d-2', 'd-1'])
    expect(second.body.nextCursor).toBeNull()
  })

  it('is filtered by state, event and kind', async () => {
    const names = async (query: string) =>
      namesIn((await inbox.ask(`GET /webhook-deliveries?${query}`)).body)
    expect(await names('state=ignored')).toEqual(['d-5'])
    expect(await names('event=issues')).toEqual(['d-5'])
    expect(await names('kind=codehost')).toHaveLength(5)
    expect(await names('kind=chat')).toEqual([])
    expect(await names('kind=tracker')).toEqual([])
  })
})

describe('webhooks that wait', () => {
  it('are listed before anything is done with them, with what they wait for', async () => {
    await inbox.test.asOwner(
      `insert into integrations (org_id, id, kind, provider, state, account_id)
       values ($1, 'int_waiting', 'codehost', 'github', 'connected', '77')`,
      [inbox.orgId],
    )
    for (const [name, repository] of [
      ['w-1', 71],
      ['w-2', 71],
      ['w-3', 72],
      ['w-4', 71],
    ] as const) {
      const body = { installation: { id: 77 }, repository: { id: repository, full_name: 'a/b' } }
      await inbox.send(JSON.stringify(body), { deliveryId: name })
    }
    await inbox.test.asOwner(
      `update received_webhooks set state = 'failed', attempts = 3 where delivery_id = 'w-1'`,
    )
    const { body } = await inbox.ask('GET /webhook-deliveries?limit=4')
    const first = { event: 'push', attempts: 3, id: body.items[3].id }
    expect(
      body.items.map((item: { deliveryId: string; state: string; waitsFor: unknown }) => [
        item.deliveryId,
        item.state,
        item.waitsFor,
      ]),
    ).toEqual([
      ['w-4', 'received', first],
      ['w-3', 'received', null],
      ['w-2', 'received', first],
      ['w-1', 'failed', null],
    ])
    // Nobody waits for a webhook that is settled.
    await inbox.test.asOwner(
      `update received_webhooks set state = 'dead' where delivery_id = 'w-1'`,
    )
    const next = await inbox.ask(`GET /webhook-deliveries/${body.items[0].id}`)
    expect(next.body.waitsFor).toMatchObject({ id: body.items[2].id, attempts: 0 })
    await inbox.test.asOwner(`delete from received_webhooks where delivery_id like 'w-%'`)
    await inbox.test.asOwner(`delete from pgboss.job`)
  })
})

describe('one webhook', () => {
  it('is shown with what was sent, JSON or not', async () => {
    const { body } = await inbox.ask(`GET /webhook-deliveries/${ids[0]}`)
    expect(body).toMatchObject({ deliveryId: 'd-1', state: 'done', payload: { ref: 'r' } })
    expect(body.headers).toMatchObject({ 'x-github-event': 'push' })
    const odd = await inbox.ask(`GET /webhook-deliveries/${ids[4]}`)
    expect(odd.body.payload).toBe('<html>')
  })

  it('is not there for another organization, neither to read nor to replay', async () => {
    const path = `/webhook-deliveries/${ids[0]}`
    expect((await inbox.ask(`GET ${path}`, inbox.otherOrgId)).status).toBe(404)
    expect((await inbox.ask(`POST ${path}/replay`, inbox.otherOrgId)).status).toBe(404)
    expect((await inbox.ask(`GET /webhook-deliveries/dlv_unknown`)).status).toBe(404)
  })
})

describe('a replay', () => {
  it('opens a webhook once more, with one job and a note in the audit log', async () => {
    await inbox.test.asOwner('delete from pgboss.job')
    const path = `/webhook-deliveries/${ids[1]}/replay`
    const first = await inbox.ask(`POST ${path}`)
    expect(first).toMatchObject({ status: 202, body: { state: 'received', origin: 'replay' } })
    // It waits already.
    expect((await inbox.ask(`POST ${path}`)).status).toBe(202)
    expect(await inbox.listJobs()).toMatchObject([{ data: { id: ids[1] } }])
    const events = await inbox.test.asOwner('select action, target from audit_events')
    expect(events).toMatchObject([{ action: 'webhook.replayed', target: { id: ids[1] } }])
    await processWebhook(inbox.processDeps, { id: ids[1] ?? '', isLastTry: false })
    const { body } = await inbox.ask(`GET /webhook-deliveries/${ids[1]}`)
    expect(body).toMatchObject({ state: 'done', attempts: 2 })
  })
})

describe('a replay of everything that failed', () => {
  const replay = (body: object, orgId?: string) =>
    inbox.ask('POST /webhook-deliveries/replay', orgId, body)

  it('opens what failed, in the order it came, with a job each and one note in the audit log', async () => {
    await inbox.test.asOwner('delete from pgboss.job')
    await inbox.test.asOwner(
      `update received_webhooks set state = case delivery_id when 'd-3' then 'failed' else 'dead' end
       where delivery_id in ('d-1', 'd-3', 'd-6')`,
    )
    const { status, body } = await replay({ state: 'failed' })
    expect([status, body]).toEqual([202, { replayed: 2, hasMore: false }])
    expect((await inbox.listJobs()).map(({ data }) => data)).toEqual([
      { id: ids[0] },
      { id: ids[2] },
    ])
    const [event] = await inbox.test.asOwner(
      'select action, detail from audit_events order by at desc limit 1',
    )
    expect(event).toMatchObject({
      action: 'webhook.replayed',
      detail: { state: 'failed', count: 2 },
    })
    expect(await replay({ state: 'failed' })).toMatchObject({ body: { replayed: 0 } })
  })

  it('opens those of one event and kind alone', async () => {
    expect((await replay({ state: 'ignored', kind: 'chat' })).body.replayed).toBe(0)
    expect((await replay({ state: 'ignored', event: 'push' })).body.replayed).toBe(0)
    expect(
      (await replay({ state: 'ignored', event: 'issues', kind: 'codehost' })).body.replayed,
    ).toBe(1)
  })

  it('opens five hundred at most, and says that there are more', async () => {
    await inbox.test.asOwner(
      `insert into received_webhooks (id, provider, delivery_id, org_id, event, headers, body, origin, state)
       select 'dlv_many_' || n, 'github', 'many-' || n, $1, 'push', '{}', '\\x00', 'push', 'dead' from generate_series(1, 501) n`,
      [inbox.orgId],
    )
    expect((await replay({ state: 'failed' })).body).toEqual({ replayed: 500, hasMore: true })
    expect((await replay({ state: 'failed' })).body).toEqual({ replayed: 1, hasMore: false })
  })
})
