import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Statement, Tx } from '../../store/store.ts'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'
import { applyRequest } from './apply-request.ts'
import { asService } from './as-service.ts'
import { workRequests } from './jobs.ts'
import type { RequestDeps } from './request-deps.ts'
import { findRequestRow } from './request-rows.ts'
import { makeProtected, type Protected } from './testing/protected-app.ts'

let opened: ConfigApp
let app: ConfigApp
let shop: Protected
beforeAll(async () => {
  opened = await openConfigApp()
})
beforeEach(async () => {
  app = await opened.another()
  shop = await makeProtected(app)
})
afterAll(() => opened.close())

/** Returns dependencies whose transactions end before their n-th statement. */
function endingBefore(deps: RequestDeps, n: number): RequestDeps {
  let count = 0
  const counted = (statement: Statement) => {
    count += 1
    if (count === n) throw new Error('The process has ended')
    return statement
  }
  const wrap = (tx: Tx): Tx => ({
    ...tx,
    query: async (statement) => tx.query(counted(statement)),
    send: (statement) => {
      tx.send(counted(statement))
    },
    atCommit: (statement) => {
      tx.atCommit(counted(statement))
    },
  })
  const store: RequestDeps['store'] = {
    ...deps.store,
    announce: () => undefined,
    maintenance: (work) => deps.store.maintenance(work),
    transaction: (scope, work) => deps.store.transaction(scope, (tx) => work(wrap(tx))),
  }
  return { ...deps, store }
}

async function approved(values: object): Promise<string> {
  const { body } = await shop.ask('ada', values)
  await shop.review('ben', body.id)
  return body.id
}

async function rowOf(id: string) {
  const { orgId } = app
  const row = await app.test.store.transaction({ orgId }, (tx) =>
    findRequestRow(tx, orgId, { ref: id }),
  )
  if (row === undefined) throw new Error('There is no such request')
  return row
}

describe('applying a request', () => {
  it('is done whole or not at all, before whichever of its statements the process ends', async () => {
    const id = await approved({ title: 'Two', stripeKey: 'sk_live_2' })
    const caller = asService(await rowOf(id), app.orgId)
    const ground = { kind: 'approved' } as const
    let ended = 0
    for (let n = 1; ; n += 1) {
      const tried = applyRequest(endingBefore(app.deps, n), caller, { ref: id, ground })
      const isDone = await tried.then(
        () => true,
        () => false,
      )
      expect([n, isDone, (await rowOf(id)).state]).toEqual([
        n,
        isDone,
        isDone ? 'applied' : 'waiting',
      ])
      expect((await shop.read())['title']).toBe(isDone ? 'Two' : 'One')
      if (isDone) break
      ended += 1
    }
    expect(ended).toBeGreaterThan(10)
  })

  it('happens once, however many do it at the same time', async () => {
    const id = await approved({ title: 'Two' })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => app.call('ada', `POST /change-requests/${id}/apply`)),
    )
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other)
    expect(statuses).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
    const query = `schemaId=${shop.schemaId}&environmentId=${shop.production}&key=title`
    expect((await app.ok('vic', `GET /config-versions?${query}`)).body.items).toHaveLength(2)
  })

  it('fails for good where what it changes is gone', async () => {
    const id = await approved({ title: 'Two' })
    await app.test.asOwner('update environments set approvals = 0 where org_id = $1', [app.orgId])
    await app.ok('admin', `DELETE /environments/${shop.production}?force=true`)
    const answer = await app.call('ada', `POST /change-requests/${id}/apply`)
    expect(answer.body.code).toBe('conflict')
    expect(await rowOf(id)).toMatchObject({ state: 'failed', failure: { code: 'not_found' } })
  })
})

describe('a scheduled request', () => {
  /** Runs the jobs of requests at a moment. */
  async function runJobs(now: Date, jobs = app.enqueued): Promise<void> {
    const handlers = new Map<string, (job: never) => Promise<void>>()
    await workRequests(
      {
        work: (queue: string, handler: (job: never) => Promise<void>) => {
          handlers.set(queue, handler)
          return Promise.resolve()
        },
      } as never,
      { ...app.deps, now: () => now },
    )
    for (const data of jobs) await handlers.get('configs.applyRequest')?.({ data } as never)
    await handlers.get('configs.expireRequests')?.({} as never)
  }

  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)

  async function scheduled(values: object, isApproved = true): Promise<string> {
    app.enqueued.length = 0
    const { body } = await shop.ask('ada', values)
    if (isApproved) await shop.review('ben', body.id)
    const applyAt = inMinutes(10).toISOString()
    await app.ok('ada', `POST /change-requests/${body.id}/schedule`, { body: { applyAt } })
    return body.id
  }

  it('is applied at its time, once, by the name of its author', async () => {
    const id = await scheduled({ title: 'Two' })
    expect((await app.ok('ada', `GET /change-requests/${id}`)).body.state).toBe('scheduled')
    await runJobs(inMinutes(11))
    await runJobs(inMinutes(12))
    expect(await shop.read()).toMatchObject({ title: 'Two' })
    const query = `schemaId=${shop.schemaId}&environmentId=${shop.production}&key=title`
    const { items } = (await app.ok('vic', `GET /config-versions?${query}`)).body
    expect(items).toMatchObject([{ author: { name: 'ada' } }, {}])
    expect(items).toHaveLength(2)
  })

  it('is not applied for somebody who has left, where nobody else has approved it', async () => {
    const ask = async (title: string) => {
      app.enqueued.length = 0
      const changes = [{ environmentId: shop.staging, set: { title } }]
      const body = { schemaId: shop.schemaId, changes }
      const applyAt = inMinutes(10).toISOString()
      const made = await app.ok('ben', 'POST /change-requests', {
        body: { title: 'Later', operation: { kind: 'values', body }, applyAt },
      })
      return made.body.id
    }
    const first = await ask('Two')
    await runJobs(inMinutes(11))
    const { state, authorId } = await rowOf(first)
    expect(state).toBe('applied')
    const second = await ask('Three')
    await app.test.asOwner('delete from members where org_id = $1 and user_id = $2', [
      app.orgId,
      authorId,
    ])
    await runJobs(inMinutes(11))
    expect(await rowOf(second)).toMatchObject({ state: 'failed', failure: { code: 'author_left' } })
  })

  it('is not applied more than fifteen minutes late, without its approvals, or by an old schedule', async () => {
    const late = await scheduled({ title: 'Two' })
    await runJobs(inMinutes(26))
    expect(await rowOf(late)).toMatchObject({ state: 'failed', failure: { code: 'too_late' } })
    const open = await scheduled({ title: 'Three' }, false)
    await runJobs(inMinutes(11))
    expect(await rowOf(open)).toMatchObject({ state: 'waiting', applyAt: null })
    const moved = await scheduled({ title: 'Four' })
    const old = [...app.enqueued]
    await app.ok('ada', `POST /change-requests/${moved}/schedule`, { body: { applyAt: null } })
    await runJobs(inMinutes(11), old)
    expect(await rowOf(moved)).toMatchObject({ state: 'waiting' })
    expect(await shop.read()).toMatchObject({ title: 'One' })
  })

  it('fails where a backup is restored, because it may have been applied or withdrawn since', async () => {
    const id = await scheduled({ title: 'Two' })
    await app.test.asOwner('update publisher_state set epoch = epoch + 1')
    expect(await rowOf(id)).toMatchObject({ state: 'failed', failure: { code: 'restored' } })
    expect(await shop.sealed()).toBe(0)
  })

  it('expires after thirty days in which nobody decides', async () => {
    const { body } = await shop.ask('ada', { title: 'Two' })
    await runJobs(inMinutes(29 * 24 * 60), [])
    expect(await rowOf(body.id)).toMatchObject({ state: 'waiting' })
    const caller = asService(await rowOf(body.id), app.orgId)
    const late = { ...app.deps, now: () => inMinutes(31 * 24 * 60) }
    const ground = { kind: 'override', comment: 'Too late for it', role: 'owner' } as const
    const applied = applyRequest(late, caller, { ref: body.id, ground })
    await expect(applied).rejects.toMatchObject({ code: 'conflict' })
    await runJobs(inMinutes(31 * 24 * 60), [])
    expect(await rowOf(body.id)).toMatchObject({ state: 'expired' })
  })
})

describe('a request whose key becomes a secret', () => {
  it('shows neither what it was nor what it was to become', async () => {
    const { body } = await shop.ask('ada', { title: 'sold-out' })
    await app.test.asOwner('update environments set approvals = 0 where org_id = $1', [app.orgId])
    await app.ok('ada', `PUT /config-schemas/${shop.schemaId}`, {
      body: { schema: { ...shop.schema, title: { type: 'string', tier: 'secret' } } },
    })
    const { text } = await app.ok('vic', `GET /change-requests/${body.id}`)
    expect(text).not.toContain('sold-out')
    const rows = await app.test.asOwner<{ text: string }>(
      'select effects::text || operation::text as text from change_request_revisions where org_id = $1',
      [app.orgId],
    )
    for (const row of rows) expect(row.text).not.toMatch(/sold-out|"One"/)
  })
})
