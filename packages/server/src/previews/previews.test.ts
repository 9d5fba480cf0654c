import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPreviewsApp, type PreviewsApp } from './testing/open-previews.ts'

let previews: PreviewsApp

beforeEach(async () => {
  previews = await openPreviewsApp()
})
afterEach(() => previews.close())

const minute = 60_000
const day = 1440 * minute
const sha = (letter: string) => letter.repeat(40)

const pull = (of: object = {}) => ({
  number: 7,
  url: null,
  state: 'open' as const,
  headSha: sha('a'),
  headRef: 'feature',
  isFork: false,
  updatedAt: previews.now(),
  ...of,
})

const deployed = (of: object = {}) => ({
  id: 1,
  environment: 'pr-7',
  sha: sha('a'),
  branch: 'feature',
  state: 'success' as const,
  status: 1,
  at: previews.now(),
  ...of,
})

const liveKeys = async () =>
  previews.app.test.asOwner<{ id: string; environment_ids: string[] }>(
    'select id, environment_ids from api_keys where org_id = $1 and revoked_at is null and of_preview',
    [previews.app.orgId],
  )

const environments = async () =>
  (await previews.app.ok('viewer', 'GET /environments')).body.items as {
    id: string
    name: string
    kind: string
  }[]

describe('a preview', () => {
  it('is made by the first deployment of a host environment that a rule fits, and inherits live', async () => {
    await previews.addRule()
    await previews.deploy(deployed())
    await previews.tell(pull())
    await previews.follow()
    const [made] = await previews.list()
    expect(made).toMatchObject({
      state: 'live',
      ended: null,
      environment: {
        name: 'pr-7',
        kind: 'preview',
        parentId: previews.staging,
        archivedAt: null,
        source: { repository: 'acme/shop', pullRequest: 7, hostEnvironment: 'pr-7' },
      },
    })
    const { schemaId, staging, app } = previews
    const values = { title: 'Changed' }
    await app.ok('m2m', 'PUT /config-values', {
      body: { schemaId, environmentId: staging, values },
    })
    const [row] = await app.test.asOwner<{ body: string }>(
      `select body from browser_snapshots where environment_id = $1 order by version desc limit 1`,
      [made.environment.id],
    )
    expect(JSON.parse(row?.body ?? '')).toMatchObject({ public: { title: 'Changed' } })
  })

  it('holds no secret that its rule does not name, neither inherited nor as a default', async () => {
    await previews.addRule({ secrets: { names: ['databaseUrl'] } })
    const { body } = await previews.ask({ repository: 'acme/shop', pullRequest: 7 })
    const id = body.environment.id
    const { canaries, schemaId, staging, app } = previews
    expect(JSON.parse(await previews.openSecrets(id))).toEqual({
      databaseUrl: canaries['databaseUrl'],
    })
    const values = { stripeKey: 'canary_new_stripe', databaseUrl: 'canary_new_database' }
    await app.ok('m2m', 'PUT /config-values', {
      body: { schemaId, environmentId: staging, values },
    })
    const after = await previews.openSecrets(id)
    expect(after).toContain('canary_new_database')
    expect(after).not.toContain('canary_new_stripe')
    const browsers = await app.test.asOwner<{ body: string }>(
      'select body from browser_snapshots where environment_id = $1',
      [id],
    )
    expect(JSON.stringify(browsers)).not.toContain('canary')
  })

  it('forgets in one transaction the secrets that its rule no longer names, older versions included', async () => {
    const rule = await previews.addRule({ secrets: 'all' })
    const { body } = await previews.ask({ repository: 'acme/shop', pullRequest: 7 })
    const id = body.environment.id
    expect(await previews.openSecrets(id)).toContain(previews.canaries['stripeKey'])
    const { pattern, parentId, revision } = rule
    await previews.app.ok('admin', `PUT /preview-rules/${rule.id}`, {
      body: { pattern, parentId, revision, secrets: 'none' },
    })
    expect(await previews.openSecrets(id)).toBe('{}')
  })

  it('keeps a secret that is set in it, for the database of one pull request', async () => {
    await previews.addRule()
    const { body } = await previews.ask({ repository: 'acme/shop', pullRequest: 7 })
    const environmentId = body.environment.id
    await previews.app.ok('m2m', 'PUT /config-values', {
      body: { schemaId: previews.schemaId, environmentId, values: { databaseUrl: 'own' } },
    })
    const [newest] = (await previews.openSecrets(environmentId)).split('\n').toReversed()
    expect(newest).toBe('{"databaseUrl":"own"}')
  })

  it('is none of the fifty environments, has no protection, and is nobody’s parent', async () => {
    await previews.addRule()
    const { body } = await previews.ask({ repository: 'acme/shop', pullRequest: 7 })
    const id = body.environment.id
    const { app } = previews
    const asParent = await app.call('admin', 'POST /environments', {
      body: { name: 'below', parentId: id },
    })
    expect(asParent.body.code).toBe('conflict')
    const change = await app.call('admin', `PATCH /environments/${id}`, {
      body: { protection: { approvals: 1 } },
    })
    expect(change.body.code).toBe('conflict')
    const deleted = await app.call('admin', `DELETE /environments/${id}?force=true`)
    expect(deleted.body.code).toBe('environment_in_use')
  })
})

describe('the keys of a preview', () => {
  it('are answered once, read it alone, and end with it', async () => {
    await previews.addRule()
    await previews.tell(pull())
    const first = await previews.ask({ repository: 'acme/shop', pullRequest: 7 })
    expect(first.body.keys.browser).toMatch(/^sbx_b2m_/)
    expect(first.body.keys.server).toMatch(/^sbx_m2m_/)
    const again = await previews.ask({ repository: 'acme/shop', pullRequest: 7 })
    expect(again.body).toMatchObject({ keys: null, environment: { id: first.body.environment.id } })
    const keys = await liveKeys()
    expect(keys.map((of) => of.environment_ids)).toEqual([
      [first.body.environment.id],
      [first.body.environment.id],
    ])
    previews.passMs(minute)
    await previews.tell(pull({ state: 'closed' }))
    await previews.follow()
    expect(await liveKeys()).toEqual([])
  })

  it('are made anew for who asks so, and the keys of before end', async () => {
    await previews.addRule()
    await previews.ask({ repository: 'acme/shop', pullRequest: 7 })
    const before = await liveKeys()
    const renewed = await previews.ask({ repository: 'acme/shop', pullRequest: 7, renewKeys: true })
    expect(renewed.body.keys.server).toMatch(/^sbx_m2m_/)
    const after = await liveKeys()
    expect(after).toHaveLength(2)
    expect(after.some(({ id }) => before.some((one) => one.id === id))).toBe(false)
  })
})

describe('the end of a preview', () => {
  it('comes with the end of its pull request, and a person reads why', async () => {
    await previews.addRule()
    await previews.tell(pull())
    await previews.ask({ repository: 'acme/shop', pullRequest: 7 })
    previews.passMs(minute)
    await previews.tell(pull({ state: 'merged' }))
    await previews.follow()
    const [ended] = await previews.list()
    expect(ended).toMatchObject({
      state: 'archived',
      ended: { reason: 'merged', detail: 'The preview pr-7 has ended: pull request 7 was merged.' },
    })
    expect(await previews.openSecrets(ended.environment.id)).toBe('')
    const write = await previews.app.call('m2m', 'PUT /config-values', {
      body: {
        schemaId: previews.schemaId,
        environmentId: ended.environment.id,
        values: { title: 'x' },
      },
    })
    expect([write.status, write.body.code]).toEqual([410, 'environment_archived'])
  })

  it('is not undone by a change of what it inherits from', async () => {
    await previews.addRule({ secrets: 'all' })
    await previews.tell(pull())
    await previews.ask({ repository: 'acme/shop', pullRequest: 7 })
    previews.passMs(minute)
    await previews.tell(pull({ state: 'closed' }))
    await previews.follow()
    const { schemaId, staging, app } = previews
    await app.ok('m2m', 'PUT /config-values', {
      body: { schemaId, environmentId: staging, values: { title: 'Changed' } },
    })
    await app.addSchema('late', { more: { type: 'string', tier: 'secret', default: 'x' } })
    const rows = await app.test.asOwner(
      `select 1 from server_snapshots s join environments e on e.id = s.environment_id
       where e.archived_at is not null and s.body is not null`,
    )
    expect(rows).toEqual([])
  })

  it('is undone when its pull request opens again within a week, with its values and new keys', async () => {
    await previews.addRule()
    await previews.tell(pull())
    const { body } = await previews.ask({ repository: 'acme/shop', pullRequest: 7 })
    const environmentId = body.environment.id
    await previews.app.ok('m2m', 'PUT /config-values', {
      body: { schemaId: previews.schemaId, environmentId, values: { databaseUrl: 'own' } },
    })
    previews.passMs(minute)
    await previews.tell(pull({ state: 'closed' }))
    await previews.follow()
    previews.passMs(6 * day)
    await previews.tell(pull())
    await previews.follow()
    expect((await previews.list()).map(({ state }) => state)).toEqual(['live'])
    expect(await previews.openSecrets(environmentId)).toBe('{"databaseUrl":"own"}')
    expect(await liveKeys()).toEqual([])
    const again = await previews.ask({ repository: 'acme/shop', pullRequest: 7 })
    expect(again.body.keys.browser).not.toBe(body.keys.browser)
  })

  it('is followed by its deletion a week later, although no event comes', async () => {
    await previews.addRule()
    await previews.tell(pull())
    await previews.ask({ repository: 'acme/shop', pullRequest: 7 })
    previews.passMs(minute)
    await previews.tell(pull({ state: 'closed' }))
    await previews.sweep()
    previews.passMs(7 * day + minute)
    await previews.sweep()
    expect((await environments()).map(({ name }) => name)).toEqual(['staging'])
  })

  it('comes when its deployment is taken down, and when nothing happens to it for the days of its rule', async () => {
    await previews.addRule({ expiresDays: 3 })
    await previews.deploy(deployed())
    await previews.deploy(deployed({ id: 2, environment: 'pr-8', branch: 'other', sha: sha('b') }))
    await previews.follow()
    previews.passMs(minute)
    await previews.deploy(deployed({ state: 'inactive', status: 2, createdAt: undefined }))
    await previews.follow()
    const reasons = async () =>
      Object.fromEntries(
        (await previews.list()).map(({ environment, ended }) => [
          environment.name,
          ended?.reason ?? 'live',
        ]),
      )
    expect(await reasons()).toEqual({ 'pr-7': 'inactive', 'pr-8': 'live' })
    previews.passMs(3 * day)
    await previews.sweep()
    expect(await reasons()).toEqual({ 'pr-7': 'inactive', 'pr-8': 'expired' })
  })

  it('comes an hour late where the webhook that closes the pull request was lost', async () => {
    await previews.addRule()
    await previews.tell(pull())
    await previews.ask({ repository: 'acme/shop', pullRequest: 7 })
    previews.passMs(61 * minute)
    previews.host.pulls.set('42 7', pull({ state: 'closed' }))
    await previews.sweep()
    expect((await previews.list()).map(({ ended }) => ended?.reason)).toEqual(['closed'])
  })

  it('is final for what was deployed before a person deleted it', async () => {
    await previews.addRule()
    await previews.deploy(deployed())
    await previews.follow()
    previews.passMs(minute)
    await previews.app.ok('admin', 'DELETE /preview-environments/pr-7')
    await previews.sweep()
    expect(await previews.list()).toEqual([])
    previews.passMs(minute)
    await previews.deploy(deployed({ id: 2 }))
    await previews.follow()
    expect(await previews.list()).toHaveLength(1)
  })
})

describe('a fork', () => {
  it('gets no environment and no key, whichever way it comes', async () => {
    await previews.addRule({ secrets: 'all' })
    previews.host.pulls.set('42 7', pull({ isFork: true }))
    await previews.deploy(deployed())
    await previews.follow()
    const asked = await previews.ask({}, { pullRequest: 7 })
    expect([asked.status, asked.body.code]).toEqual([409, 'conflict'])
    expect(await previews.list()).toEqual([])
    expect(await liveKeys()).toEqual([])
  })

  it('loses what it got before anything was known of it', async () => {
    await previews.addRule({ secrets: 'all' })
    await previews.ask({ repository: 'acme/shop', pullRequest: 7 })
    await previews.tell(pull({ isFork: true }))
    await previews.follow()
    expect((await previews.list()).map(({ ended }) => ended?.reason)).toEqual(['fork'])
    expect(await liveKeys()).toEqual([])
  })
})

describe('who asks for a preview', () => {
  it('names no other repository and no other pull request than the token of its pipeline', async () => {
    await previews.addRule()
    const other = await previews.ask({ repository: 'acme/other' }, { pullRequest: 7 })
    expect(other.body).toMatchObject({ status: 422, errors: [{ pointer: '/repository' }] })
    const number = await previews.ask({ pullRequest: 8 }, { pullRequest: 7 })
    expect(number.body).toMatchObject({ status: 422, errors: [{ pointer: '/pullRequest' }] })
    const foreign = await previews.ask({}, { pullRequest: 7, repositoryExternalId: '99' })
    expect(foreign.body.code).toBe('invalid_credentials')
    const unknown = await previews.ask({ pullRequest: 8 }, {})
    expect(unknown.body.status).toBe(422)
    expect(await previews.list()).toEqual([])
  })

  it('is told which rule is missing, and how many there may be', async () => {
    const without = await previews.ask({ repository: 'acme/shop', pullRequest: 7 })
    expect(without.body).toMatchObject({ status: 422, errors: [{ pointer: '/repository' }] })
    await previews.addRule({ max: 1 })
    await previews.ask({ repository: 'acme/shop', pullRequest: 7 })
    const second = await previews.ask({ repository: 'acme/shop', pullRequest: 8 })
    expect(second.body.code).toBe('quota_exceeded')
  })
})

describe('outgoing webhooks', () => {
  it('hear of a preview that is made and of one that ends, once each', async () => {
    await previews.app.test.asOwner(
      `insert into outgoing_webhooks (org_id, id, name, url, events, format, enabled, sealed_secrets, has_authorization, created_at)
       values ($1, 'whk_1', 'Ops', 'https://hooks.example.com', '{preview.created,preview.ended}', 'generic', true, '', false, now())`,
      [previews.app.orgId],
    )
    await previews.addRule()
    await previews.tell(pull())
    await previews.ask({ repository: 'acme/shop', pullRequest: 7 })
    await previews.follow()
    previews.passMs(minute)
    await previews.tell(pull({ state: 'closed' }))
    await previews.follow()
    await previews.sweep()
    const messages = await previews.app.test.asOwner<{ type: string; data: object }>(
      'select type, data from outgoing_messages order by created_at, type',
    )
    expect(messages).toMatchObject([
      { type: 'preview.created', data: { environment: 'pr-7', pullRequest: 7 } },
      { type: 'preview.ended', data: { environment: 'pr-7', reason: 'closed' } },
    ])
  })
})
