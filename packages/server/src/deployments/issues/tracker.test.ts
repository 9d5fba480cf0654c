import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTrackerApp, type TrackerApp } from '../testing/open-tracker-app.ts'

let app: TrackerApp

beforeAll(async () => {
  app = await openTrackerApp()
})
beforeEach(() => app.reset())
afterAll(() => app.close())

const tracker = '/integrations/tracker'
const get = (as = 'viewer') => app.call(as, `GET ${tracker}`)
const patch = (body: object, as = 'admin') => app.call(as, `PATCH ${tracker}`, body)
const list = (search = '') => app.call('viewer', `GET ${tracker}/projects${search}`)
const updates = `select detail, actor from audit_events where action = 'integration.updated'`
const siteIds = () => {
  const { acme, 'acme-labs': labs } = app.sandbox.jira.sites
  return { acme: acme.cloudId, labs: labs.cloudId }
}

describe('getTracker', () => {
  it('says that none is connected, and nothing of another organization’s', async () => {
    await app.connect()
    expect((await get('stranger')).body).toMatchObject({ state: 'not_connected', site: null })
    expect((await get()).body).toMatchObject({ state: 'connected' })
  })

  it('shows the site, until when the access lasts, and that all projects count', async () => {
    await app.connect()
    const { status, body } = await get('stagingKey')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      provider: 'jira',
      kind: 'tracker',
      state: 'connected',
      nextStep: null,
      site: { id: siteIds().acme, name: 'acme', url: `${app.sandbox.origin}/atlassian/sites/acme` },
      sites: [],
      projectKeys: null,
      missingScopes: [],
    })
    const daysLeft = (Date.parse(body.reconnectBefore) - Date.now()) / 86_400_000
    expect(daysLeft).toBeGreaterThan(364)
  })

  it('shows nothing that was chosen once it is disconnected', async () => {
    await app.connect()
    await patch({ projectKeys: ['ABC'] })
    await app.test.asOwner(`update integrations set state = 'disconnected'`)
    expect((await get()).body).toMatchObject({
      state: 'not_connected',
      site: null,
      sites: [],
      projectKeys: null,
    })
  })

  it('shows why the access ended, and what to do', async () => {
    await app.connect()
    app.sandbox.jira.removeGrant()
    expect((await list()).body).toMatchObject({ status: 424, code: 'reauth_required' })
    expect((await get()).body).toMatchObject({
      state: 'reauth_required',
      stateReason: 'Jira revoked access.',
      nextStep: 'Connect it again.',
      health: { lastError: { code: 'invalid_grant', nextStep: 'Connect it again.' } },
    })
  })

  it('says when an access that is not renewed for now is tried again, and asks nobody', async () => {
    await app.connect()
    await app.test.asOwner(
      `update integration_credentials
       set access_expires_at = now(), rejections = 1, retry_at = now() + interval '1 minute'`,
    )
    const asked = app.sandbox.log.list().length
    expect((await list()).body).toMatchObject({
      status: 424,
      code: 'renewal_refused',
      detail: expect.stringMatching(/^Jira refuses to renew .* tries again at \d\d:\d\d UTC\./),
    })
    expect((await get()).body).toMatchObject({ state: 'renewal_refused' })
    expect(app.sandbox.log.list()).toHaveLength(asked)
  })
})

describe('choosing a site', () => {
  it('is asked for when several were granted, and puts the chosen one into use', async () => {
    await app.connectTwoSites()
    const { acme, labs } = siteIds()
    expect((await get()).body).toMatchObject({ state: 'pending', site: null })
    expect((await get()).body.sites.map(({ id }: { id: string }) => id)).toEqual([acme, labs])
    expect((await list()).body).toMatchObject({ status: 409, code: 'integration_not_connected' })
    expect(app.emitted).toEqual([])

    const { status, body } = await patch({ siteId: labs })
    expect([status, body.state, body.site.name, body.sites]).toEqual([
      200,
      'connected',
      'acme-labs',
      [],
    ])
    expect(app.emitted).toEqual(['tracker.connected'])
    expect(await app.test.asOwner(updates)).toHaveLength(1)
    expect((await list()).body.items).toEqual([{ key: 'LAB', name: 'Laboratory', tracked: true }])
  })

  it('refuses one that was not granted, and names those that were', async () => {
    await app.connectTwoSites()
    const { status, body } = await patch({ siteId: 'other' })
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/siteId' }] })
    expect(body.detail).toContain(`acme-labs (${siteIds().labs})`)
    expect((await get()).body.state).toBe('pending')
  })

  it('refuses one that another organization uses', async () => {
    await app.connect('org_2')
    await app.connectTwoSites()
    const { acme, labs } = siteIds()
    expect((await patch({ siteId: acme })).body).toMatchObject({
      status: 409,
      code: 'integration_exists',
      detail: expect.stringContaining('Another organization'),
    })
    expect((await patch({ siteId: labs })).body.state).toBe('connected')
  })

  it('gives a site that two organizations choose at the same moment to one of them', async () => {
    await app.connectTwoSites()
    await app.connectTwoSites('org_2')
    const { acme } = siteIds()
    const both = await Promise.all([patch({ siteId: acme }), patch({ siteId: acme }, 'stranger')])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
  })

  it('is not asked for again when it is connected again, and what was chosen stays', async () => {
    await app.connectTwoSites()
    await patch({ siteId: siteIds().labs })
    await patch({ projectKeys: ['LAB'] })
    app.sandbox.jira.removeGrant()
    expect((await list()).body.code).toBe('reauth_required')
    await app.connectTwoSites()
    expect((await get()).body).toMatchObject({
      state: 'connected',
      site: { name: 'acme-labs' },
      projectKeys: ['LAB'],
    })
  })

  it('of another one lets all of its projects count', async () => {
    await app.connectTwoSites()
    const { acme, labs } = siteIds()
    await patch({ siteId: acme })
    await patch({ projectKeys: ['ABC'] })
    expect((await patch({ siteId: acme })).body.projectKeys).toEqual(['ABC'])
    const { body } = await patch({ siteId: labs, projectKeys: ['LAB'] })
    expect(body).toMatchObject({ status: 422, errors: [{ pointer: '/projectKeys' }] })
    expect((await patch({ siteId: labs })).body).toMatchObject({
      site: { name: 'acme-labs' },
      projectKeys: null,
    })
  })
})

describe('choosing projects', () => {
  beforeEach(async () => {
    await app.connect()
  })

  it('keeps them, with an event, and has recent deployments read again', async () => {
    const { status, body } = await patch({ projectKeys: ['WEB2', 'ABC', 'WEB2'] }, 'key')
    expect([status, body.projectKeys]).toEqual([200, ['WEB2', 'ABC']])
    expect(app.rereads).toEqual([body.id])
    const [row] = await app.test.asOwner(updates)
    expect(row).toMatchObject({
      actor: { type: 'api_key' },
      detail: { siteId: siteIds().acme, projectKeys: ['WEB2', 'ABC'] },
    })
  })

  it.each([[[]], [null]])('%j lets all of them count again', async (projectKeys) => {
    await patch({ projectKeys: ['ABC'] })
    expect((await patch({ projectKeys })).body.projectKeys).toBeNull()
    expect(app.rereads).toHaveLength(2)
  })

  it('changes nothing without a choice', async () => {
    await patch({ projectKeys: ['ABC'] })
    expect((await patch({})).body.projectKeys).toEqual(['ABC'])
    expect(app.rereads).toHaveLength(1)
  })

  it('refuses one that the site does not show, with its place and the one that may be meant', async () => {
    const { status, body } = await patch({ projectKeys: ['ABC', 'WEB', 'SEC'] })
    expect(status).toBe(422)
    expect(body).toMatchObject({
      code: 'validation_failed',
      errors: [
        { pointer: '/projectKeys/1', detail: expect.stringContaining('"WEB2"') },
        { pointer: '/projectKeys/2', detail: expect.not.stringContaining('mean') },
      ],
    })
    expect((await get()).body.projectKeys).toBeNull()
    expect(app.rereads).toEqual([])
  })

  it('finds one that stands on a later page', async () => {
    for (let count = 0; count < 120; count += 1) {
      app.sandbox.jira.addProject({ key: `A${count}B`, name: `Team ${count}` })
    }
    expect((await patch({ projectKeys: ['WEB2'] })).status).toBe(200)
  })

  it('is for those who administer everything', async () => {
    const body = { projectKeys: ['ABC'] }
    expect((await patch(body, 'developer')).body.code).toBe('role_forbidden')
    expect((await patch(body, 'stagingKey')).body.code).toBe('key_scope_forbidden')
    expect((await patch(body, 'stranger')).body.code).toBe('integration_not_connected')
  })

  it('stores nothing when Jira does not answer', async () => {
    app.sandbox.faults.add({ provider: 'jira', request: 'GET /ex/jira', fault: { kind: 'cut' } })
    expect((await patch({ projectKeys: ['ABC'] })).body).toMatchObject({
      status: 424,
      code: 'provider_error',
      detail: expect.stringContaining('Try again'),
    })
    expect((await get()).body.projectKeys).toBeNull()
  })
})

describe('listTrackerProjects', () => {
  beforeEach(async () => {
    await app.connect()
  })

  it('lists what the integration may see, and which of them count', async () => {
    await patch({ projectKeys: ['ABC'] })
    expect((await list()).body).toEqual({
      items: [
        { key: 'ABC', name: 'Shop', tracked: true },
        { key: 'WEB2', name: 'Website', tracked: false },
      ],
      nextCursor: null,
    })
    expect((await list('?query=webs')).body.items).toMatchObject([{ key: 'WEB2' }])
  })

  it('goes on where a page ended, in the same list alone', async () => {
    const first = (await list('?limit=1')).body
    expect(first.items).toMatchObject([{ key: 'ABC' }])
    const more = await list(`?limit=1&cursor=${encodeURIComponent(first.nextCursor)}`)
    expect(more.body).toMatchObject({ items: [{ key: 'WEB2' }], nextCursor: null })
    const other = `?limit=1&query=shop&cursor=${encodeURIComponent(first.nextCursor)}`
    for (const search of [other, '?cursor=forged']) {
      expect((await list(search)).body).toMatchObject({ status: 400, code: 'invalid_cursor' })
    }
  })

  it('says when to come back where Jira has had enough', async () => {
    app.sandbox.faults.add({
      provider: 'jira',
      request: 'GET /ex/jira',
      fault: app.sandbox.jira.rateLimited({ retryAfterSeconds: 30 }),
    })
    expect((await list()).body).toMatchObject({
      status: 424,
      code: 'provider_error',
      detail: expect.stringContaining('Try again later'),
    })
  })
})

describe('a sync of issues', () => {
  const start = (as = 'developer') => app.call(as, `POST ${tracker}/sync`)

  it('is started by a developer or a server key, once at a time, and followed by its id', async () => {
    await app.connect()
    const { status, body } = await start()
    expect(status).toBe(202)
    expect(body).toEqual({
      syncId: expect.stringMatching(/^syn_/),
      state: 'queued',
      issues: { done: 0, total: null },
      changedIssues: 0,
      detail: null,
      startedAt: expect.any(String),
      finishedAt: null,
    })
    expect((await start('key')).body.syncId).toBe(body.syncId)
    expect(app.added).toContainEqual({
      queue: 'deployments.runSync',
      data: { orgId: 'org_1', id: body.syncId },
    })
    const read = (as: string, id = String(body.syncId)) => app.call(as, `GET ${tracker}/sync/${id}`)
    expect((await read('viewer')).body).toEqual(body)
    expect(await read('stranger')).toMatchObject({ status: 404 })
    // A sync of the code host is none of the tracker.
    await app.test.asOwner(`update syncs set depth = 'full'`)
    expect(await read('viewer')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('is refused to a viewer, to a key of some environments, and where no tracker is connected', async () => {
    expect((await start()).body).toMatchObject({ status: 409, code: 'integration_not_connected' })
    await app.connect()
    expect((await start('viewer')).body).toMatchObject({ status: 403 })
    expect((await start('stagingKey')).body).toMatchObject({ code: 'key_scope_forbidden' })
    expect(await app.test.asOwner('select id from syncs')).toEqual([])
  })
})
