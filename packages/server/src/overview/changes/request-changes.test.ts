import type { Change } from '@signalbox/contract/rest'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeProtected, type Protected } from '../../configs/requests/testing/protected-app.ts'
import { openOverviewApp, type OverviewApp } from '../testing/open-overview-app.ts'

let opened: OverviewApp
let app: OverviewApp
let shop: Protected
beforeAll(async () => {
  opened = await openOverviewApp()
})
beforeEach(async () => {
  app = await opened.another()
  shop = await makeProtected(app)
})
afterAll(() => opened.close())

const list = async (query = ''): Promise<Change[]> =>
  (await app.ok('vic', `GET /changes?limit=100${query}`)).body.items
const ofRequests = async (query = '') =>
  (await list(query)).filter(({ request }) => request !== null)

/** Asks for a change of both environments, which makes two versions. */
const askForBoth = (values: object) =>
  app.ok('ada', 'POST /change-requests', {
    body: {
      title: 'Both at once, SHOP-7',
      reason: 'They belong together',
      operation: {
        kind: 'values',
        body: {
          schemaId: shop.schemaId,
          changes: [shop.staging, shop.production].map((environmentId) => ({
            environmentId,
            set: values,
          })),
        },
      },
    },
  })

describe('a change request in the timeline', () => {
  it('is one entry by what became of it, also once it is applied and has made several versions', async () => {
    const { body } = await askForBoth({ title: 'Two' })
    const states = async () =>
      (await ofRequests()).map(({ kind, title, request }) => [kind, title, request?.state])
    const title = 'Both at once, SHOP-7'
    expect(await states()).toEqual([['change_request', title, 'open']])
    await shop.review('ben', body.id, 'decline')
    expect(await states()).toEqual([['change_request', title, 'declined']])
    await shop.review('ben', body.id)
    expect(await states()).toEqual([['change_request', title, 'approved']])
    const [waiting] = await ofRequests()
    expect(waiting).toMatchObject({
      id: body.id,
      environmentId: null,
      author: { type: 'user', name: 'ada' },
      reason: { issueKeys: ['SHOP-7'], comment: 'They belong together' },
      request: { number: 1, versions: 0, environmentIds: expect.any(Array), approvedBy: ['ben'] },
    })
    const before = (await list()).length
    await app.ok('ada', `POST /change-requests/${body.id}/apply`)
    expect(await list()).toHaveLength(before)
    const [applied, ...others] = await ofRequests()
    expect(others).toEqual([])
    expect(applied).toMatchObject({
      kind: 'config_version',
      wayBack: null,
      configuration: { schema: 'web', changes: [{ key: 'title', after: 'Two' }] },
      request: { number: 1, state: 'applied', versions: 2, approvedBy: ['ben'], overridden: false },
    })
    expect(applied?.request?.environmentIds.toSorted()).toEqual(
      [shop.staging, shop.production].toSorted(),
    )
  })

  it('is found once in each of its environments, by person, key, kind and text', async () => {
    const waiting = await askForBoth({ title: 'Two' })
    const { body } = await askForBoth({ subtitle: 'New' })
    await shop.review('ben', body.id)
    await app.ok('ada', `POST /change-requests/${body.id}/apply`)
    const found = async (query: string) =>
      (await ofRequests(query)).map(({ request }) => request?.number)
    for (const environmentId of [shop.staging, shop.production]) {
      expect(await found(`&environmentId=${environmentId}`)).toEqual([2, 1])
    }
    expect(await found('&author=ADA')).toEqual([2, 1])
    expect(await found('&key=title')).toEqual([1])
    expect(await found('&key=subtitle')).toEqual([2])
    expect(await found('&kinds=change_request')).toEqual([1])
    expect(await found('&kinds=config_version')).toEqual([2])
    expect(await found('&kinds=flag_flip')).toEqual([])
    expect(await found('&text=belong%20together')).toEqual([1])
    expect(await found('&repository=acme/shop')).toEqual([])
    expect(await found(`&from=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([])
    expect(waiting.body.number).toBe(1)
  })

  it('is one entry whatever the page, each change once', async () => {
    for (const title of ['a', 'b', 'c']) {
      const { body } = await askForBoth({ title })
      await shop.review('ben', body.id)
      await app.ok('ada', `POST /change-requests/${body.id}/apply`)
    }
    const whole = (await list()).map(({ id }) => id)
    expect((await ofRequests()).map(({ request }) => request?.number)).toEqual([3, 2, 1])
    const paged: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`
      const { body }: { body: { items: Change[]; nextCursor: string | null } } = await app.ok(
        'vic',
        `GET /changes?limit=1${query}`,
      )
      paged.push(...body.items.map(({ id }) => id))
      cursor = body.nextCursor
    }
    expect(paged).toEqual(whole)
  })

  it('control: without the rows that join them, both versions are entries', async () => {
    const { body } = await askForBoth({ title: 'Two' })
    await shop.review('ben', body.id)
    const before = (await list()).length
    await app.ok('ada', `POST /change-requests/${body.id}/apply`)
    await app.test.asOwner('delete from change_request_versions')
    expect((await list()).length).toBe(before + 1)
  })

  it('that ended without a change stays an entry of its own, and shows no secret', async () => {
    const { body } = await shop.ask('ada', { stripeKey: 'sk_live_2' })
    await app.ok('ada', `POST /change-requests/${body.id}/withdraw`)
    const { text } = await app.ok('vic', 'GET /changes')
    expect(text).not.toContain('sk_live')
    expect(await ofRequests()).toMatchObject([
      { kind: 'change_request', state: 'withdrawn', environmentId: shop.production },
    ])
  })
})

describe('what needs attention of change requests', () => {
  const attention = async (as: string) =>
    (await app.ok(as, 'GET /overview')).body.needsYou.filter(({ code }: { code: string }) =>
      code.startsWith('change_'),
    )

  it('counts those that wait for a review of the reader, for those alone who may review', async () => {
    expect(await attention('ben')).toEqual([])
    const { body } = await shop.ask('ada', { title: 'Two' })
    expect(await attention('ben')).toMatchObject([
      {
        code: 'change_waiting',
        subjectId: body.id,
        title: '1 request waits for your review',
        detail: 'Request 1: Change title in production',
        next: { label: 'Review', href: '/requests/1' },
      },
    ])
    await shop.ask('ada', { subtitle: 'New' })
    expect(await attention('ben')).toMatchObject([
      { subjectId: null, title: '2 requests wait for your review', next: { href: '/requests' } },
    ])
    for (const nobody of ['ada', 'vic']) expect(await attention(nobody)).toEqual([])
    await shop.review('ben', body.id)
    expect(await attention('ben')).toMatchObject([{ title: '1 request waits for your review' }])
    expect(await attention('cleo')).toMatchObject([{ title: '2 requests wait for your review' }])
  })

  it('lists a change that lacked its approvals until another member has acknowledged it', async () => {
    const { body } = await shop.ask('ada', { title: 'Two' })
    await app.ok('dan', `POST /change-requests/${body.id}/override`, {
      body: { comment: 'Customers cannot pay at all' },
    })
    const overridden = {
      code: 'change_overridden',
      severity: 'warning',
      subjectId: body.id,
      title: 'dan applied request 1 without its approvals',
      detail: expect.stringContaining('Reason: Customers cannot pay at all.'),
      next: { href: '/requests/1' },
    }
    for (const reader of ['vic', 'dan', 'ben']) {
      expect(await attention(reader)).toMatchObject([overridden])
    }
    await app.ok('vic', `POST /change-requests/${body.id}/acknowledge`)
    expect(await attention('ben')).toEqual([])
  })
})
