import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hostFailure } from '../deployments/testing/fake-codehost.ts'
import { recordDeletedBranch } from './record-deleted-branch.ts'
import { needsStripe, openChecks, shaOf, type ChecksApp } from './testing/open-checks.ts'

let checks: ChecksApp
const repository = 'acme/shop'
const canary = 'sk_live_canary_0123456789'

beforeEach(async () => {
  checks = await openChecks()
})
afterEach(() => checks.close())

const resultIn = (body: { schemas: { environments: object[] }[] }) =>
  Object.fromEntries(
    (body.schemas[0]?.environments ?? []).map((each) => {
      const { environment, result } = each as { environment: string; result: string }
      return [environment, result]
    }),
  )
const pull = (more: object = {}) => ({
  number: 7,
  url: 'https://github.com/acme/shop/pull/7',
  state: 'open' as const,
  headSha: shaOf('a'),
  headRef: 'checkout',
  isFork: false,
  updatedAt: new Date('2026-12-01T10:00:00Z'),
  ...more,
})

describe('the check of a commit', () => {
  it('says what each environment lacks, and says it again once somebody sets it or deletes it', async () => {
    const sha = shaOf('a')
    const { status, body } = await checks.upload({ repository, sha, ref: 'checkout' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ repository, sha, ref: 'checkout', conclusion: 'failure' })
    expect(resultIn(body)).toEqual({ staging: 'missing', production: 'missing' })
    await checks.work()
    expect(checks.host.written.at(-1)).toMatchObject({
      state: 'failure',
      title: 'production lacks stripeKey, and 1 more environment',
      url: `https://signalbox.example.com/${checks.app.orgId}/deployments/checks/${body.id}`,
    })
    const schema = { ...needsStripe }
    await checks.app.ok('m2m', `PUT /config-schemas/${checks.schemaId}`, { body: { schema } })
    for (const environmentId of [checks.staging, checks.production])
      await checks.set({ stripeKey: canary }, environmentId)
    await checks.work()
    expect((await checks.checkOf(sha)).conclusion).toBe('failure')
    checks.passMs(31_000)
    await checks.work()
    expect(await checks.checkOf(sha)).toMatchObject({
      conclusion: 'success',
      report: { state: 'written' },
    })
    expect(checks.host.written.at(-1)).toMatchObject({
      state: 'success',
      title: 'Ready in 2 environments',
    })
    await checks.app.ok('m2m', 'POST /config-changes', {
      body: {
        schemaId: checks.schemaId,
        changes: [{ environmentId: checks.staging, unset: ['stripeKey'] }],
      },
    })
    checks.passMs(31_000)
    await checks.work()
    expect(checks.host.written.at(-1)?.title).toBe('staging lacks stripeKey')
  })

  it('of a schema that nobody has pushed says so, and is ready where nothing is required', async () => {
    const sha = shaOf('b')
    const { body } = await checks.upload({ repository, sha, schema: 'worker' })
    expect(body.schemas[0]).toMatchObject({ name: 'worker', schemaId: null })
    const definition = { port: { type: 'number', tier: 'public', default: 80 } }
    const { body: ready } = await checks.upload({ repository, sha, schema: 'worker', definition })
    expect(ready).toMatchObject({ id: body.id, conclusion: 'success' })
  })

  it('joins the schemas of a commit, and fails where one of them does', async () => {
    const sha = shaOf('b')
    await checks.upload({ repository, sha, schema: 'other', definition: {} })
    const { body } = await checks.upload({ repository, sha })
    expect(body.schemas.map(({ name }: { name: string }) => name)).toEqual(['other', 'web'])
    expect(body.conclusion).toBe('failure')
  })

  it('warns of keys that the commit which runs there still declares, and does not fail', async () => {
    const [live, next] = [shaOf('c'), shaOf('d')]
    const definition = { title: needsStripe.title, legacy: { type: 'number', default: 1 } }
    await checks.upload({ repository, sha: live, ref: 'main', definition })
    await checks.deploy(live)
    const { body } = await checks.upload({
      repository,
      sha: next,
      ref: 'main',
      definition: { title: needsStripe.title },
    })
    expect(body.conclusion).toBe('neutral')
    expect(resultIn(body)).toEqual({ staging: 'ready', production: 'breaking' })
    await checks.deploy(next)
    checks.passMs(31_000)
    await checks.work()
    expect((await checks.checkOf(next)).conclusion).toBe('success')
    expect((await checks.checkOf(live)).state).toBe('closed')
  })

  it('never stores or shows a secret: neither its default, nor a value that is refused', async () => {
    const sha = shaOf('e')
    const { body: schema } = await checks.app.ok('m2m', `GET /config-schemas/${checks.schemaId}`)
    expect(schema.name).toBe('web')
    await checks.app.ok('m2m', `PUT /config-schemas/${checks.schemaId}`, {
      body: { schema: needsStripe },
    })
    await checks.set({ stripeKey: canary })
    const definition = {
      stripeKey: { ...needsStripe.stripeKey, constraints: { maxLength: 3 } },
      token: { type: 'string', tier: 'secret', default: canary },
    }
    const { text, body } = await checks.upload({ repository, sha, definition })
    expect(resultIn(body).production).toBe('invalid')
    await checks.work()
    const stored = await checks.app.test.asOwner(
      `select (select json_agg(c) from commit_checks c)::text || (select json_agg(d) from commit_definitions d)::text as all`,
    )
    const everything = text + JSON.stringify(stored) + JSON.stringify(checks.host.written)
    expect(everything).toContain('stripeKey')
    expect(everything).not.toContain('canary')
  })
})

describe('who may say what a commit declares', () => {
  it('is a pipeline, by the commit and the repository of its token', async () => {
    const sha = shaOf('a')
    const run = { sha, ref: 'refs/heads/main' }
    expect((await checks.upload({}, run)).body).toMatchObject({ sha, ref: 'main', repository })
    const foreign = [
      await checks.upload({}, { ...run, repositoryExternalId: '99' }),
      await checks.upload({}, { ...run, provider: 'gitlab' } as never),
      await checks.upload({}, { ref: 'refs/heads/main' }),
    ]
    expect(foreign.map(({ body }) => body.code)).toEqual(
      Array.from({ length: 3 }, () => 'invalid_credentials'),
    )
    const other = await checks.upload({ repository: 'acme/other' }, run)
    expect(other.body.errors[0].pointer).toBe('/repository')
    const otherCommit = await checks.upload({ sha: shaOf('b') }, run)
    expect(otherCommit.body.errors[0].pointer).toBe('/sha')
    const rows = await checks.app.test.asOwner('select sha from commit_checks')
    expect(rows).toEqual([{ sha }])
  })

  it('is the pipeline of a pull request, for a parent of the merge that it runs on and no other commit', async () => {
    const [head, merge] = [shaOf('a'), shaOf('f')]
    checks.host.parents.set(merge, [shaOf('0'), head])
    checks.host.pulls.set('42 7', pull({ headSha: head }))
    const run = { sha: merge, ref: 'refs/pull/7/merge', pullRequest: 7 }
    const { body } = await checks.upload({ sha: head }, run)
    expect(body).toMatchObject({ sha: head, pullRequest: 7, ref: 'checkout', isFork: false })
    expect((await checks.upload({}, run)).body.errors[0].pointer).toBe('/sha')
    expect((await checks.upload({ sha: shaOf('b') }, run)).body.errors[0].pointer).toBe('/sha')
  })

  it('writes no status for a fork, and keeps what it says', async () => {
    const [head, merge] = [shaOf('a'), shaOf('f')]
    checks.host.parents.set(merge, [shaOf('0'), head])
    checks.host.pulls.set('42 7', pull({ headSha: head, isFork: true }))
    const { body } = await checks.upload({ sha: head }, { sha: merge, pullRequest: 7 })
    expect(body).toMatchObject({ isFork: true, conclusion: 'failure' })
    await checks.work()
    expect(checks.host.written).toEqual([])
    expect((await checks.checkOf(head)).report).toMatchObject({ state: 'none' })
  })

  it('is a key for every environment, for a whole commit of a repository that is known', async () => {
    const sha = shaOf('a')
    const short = await checks.upload({ repository, sha: 'abcdef1' })
    const unknown = await checks.upload({ repository: 'acme/none', sha })
    const nothing = await checks.upload({ sha })
    expect([short, unknown, nothing].map(({ body }) => body.errors[0].pointer)).toEqual([
      '/sha',
      '/repository',
      '/repository',
    ])
    checks.host.beforeCall = () => {
      throw hostFailure('notFound')
    }
    const noCommit = await checks.upload({ repository, sha })
    expect(noCommit).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(await checks.app.test.asOwner('select 1 from commit_checks')).toEqual([])
  })
})

describe('the status of a commit', () => {
  it('is given up where the code host refuses it, with what to do, and tried again for another result', async () => {
    const sha = shaOf('a')
    await checks.upload({ repository, sha, ref: 'main' })
    checks.host.beforeCall = (call) => {
      if (call.startsWith('write')) throw hostFailure('forbidden')
    }
    await checks.work()
    const { report } = await checks.checkOf(sha)
    expect(report).toMatchObject({ state: 'given_up' })
    expect(report.nextStep).toContain('permission')
    checks.host.beforeCall = () => undefined
    await checks.upload({ repository, sha, ref: 'main', definition: {} })
    await checks.work()
    expect((await checks.checkOf(sha)).report).toMatchObject({ state: 'written', detail: null })
  })

  it('is not taken for written where another result came while it was written', async () => {
    const sha = shaOf('a')
    await checks.upload({ repository, sha, ref: 'main' })
    const { statuses } = checks.host
    let writes = 0
    Object.assign(checks.host, {
      statuses: {
        async write(...of: Parameters<typeof statuses.write>) {
          const written = await statuses.write(...of)
          writes += 1
          if (writes === 1) await checks.upload({ repository, sha, ref: 'main', definition: {} })
          return written
        },
      },
    })
    await checks.work()
    expect((await checks.checkOf(sha)).report.state).toBe('waiting')
    await checks.work()
    expect(checks.host.written.map(({ state }) => state)).toEqual(['failure', 'success'])
    expect((await checks.checkOf(sha)).report.state).toBe('written')
  })

  it('is not written where the connection lacks the permission, and says so', async () => {
    await checks.app.test.asOwner(`update integrations set scopes = '{deployments:read}'`)
    const sha = shaOf('a')
    await checks.upload({ repository, sha, ref: 'main' })
    await checks.work()
    const { report } = await checks.checkOf(sha)
    expect(report.state).toBe('none')
    expect(report.nextStep).not.toBeNull()
  })
})

describe('a check ends', () => {
  it('with its pull request, and comes back with it, in whatever order its webhooks come', async () => {
    const [first, second] = [shaOf('a'), shaOf('b')]
    const at = (minute: number) => new Date(Date.UTC(2026, 11, 1, 10, minute))
    await checks.upload({ repository, sha: first, ref: 'checkout' })
    await checks.tell(pull({ updatedAt: at(0) }))
    const stateOf = async (sha: string) => {
      await checks.work()
      return (await checks.checkOf(sha)).state
    }
    expect(await stateOf(first)).toBe('open')
    await checks.tell(pull({ headSha: second, updatedAt: at(1) }))
    expect(await stateOf(first)).toBe('closed')
    await checks.upload({ repository, sha: second, ref: 'checkout' })
    expect(await stateOf(second)).toBe('open')
    await checks.tell(pull({ headSha: second, state: 'closed', updatedAt: at(3) }))
    expect(await checks.tell(pull({ headSha: second, updatedAt: at(2) }))).toBe(false)
    expect(await stateOf(second)).toBe('closed')
    await checks.tell(pull({ headSha: second, updatedAt: at(4) }))
    expect(await stateOf(second)).toBe('open')
  })

  it('with its branch, and that of a tag is written once', async () => {
    const [ofBranch, ofTag] = [shaOf('a'), shaOf('b')]
    await checks.upload({ repository, sha: ofBranch, ref: 'old' })
    await checks.upload({}, { sha: ofTag, ref: 'refs/tags/v1' })
    expect(await checks.checkOf(ofTag)).toMatchObject({ ref: null, state: 'closed' })
    await checks.work()
    expect(checks.host.written.map(({ sha }) => sha).toSorted()).toEqual([ofBranch, ofTag])
    const push = {
      type: 'push',
      repository: { externalId: '42', fullName: repository, defaultBranch: 'main', url: '' },
      ref: 'refs/heads/old',
      after: '0'.repeat(40),
    } as const
    const { orgId } = checks.app
    expect(await recordDeletedBranch(checks.deps, orgId, { ...push, isDeleted: false })).toBe(false)
    expect(await recordDeletedBranch(checks.deps, orgId, { ...push, isDeleted: true })).toBe(true)
    await checks.work()
    expect((await checks.checkOf(ofBranch)).state).toBe('closed')
  })

  it('with the next upload of its branch, and not while its commit runs', async () => {
    const [first, second, third] = [shaOf('a'), shaOf('b'), shaOf('c')]
    await checks.upload({ repository, sha: first, ref: 'main' })
    await checks.deploy(first)
    await checks.upload({ repository, sha: second, ref: 'main' })
    await checks.upload({ repository, sha: third, ref: 'main' })
    const states = await Promise.all([first, second, third].map((sha) => checks.checkOf(sha)))
    expect(states.map(({ state }) => state)).toEqual(['open', 'closed', 'open'])
  })

  it('is compared again when a comparison was cut off, and by one node where two look', async () => {
    const sha = shaOf('a')
    await checks.upload({ repository, sha, ref: 'main' })
    await checks.app.ok('m2m', `PUT /config-schemas/${checks.schemaId}`, {
      body: { schema: needsStripe },
    })
    for (const environmentId of [checks.staging, checks.production])
      await checks.set({ stripeKey: canary }, environmentId)
    checks.passMs(31_000)
    checks.reports.splice(0)
    const enqueue = checks.deps.jobs.enqueueAll
    Object.assign(checks.deps.jobs, { enqueueAll: () => Promise.reject(new Error('ended')) })
    await expect(checks.work()).rejects.toThrow('Some checks')
    expect((await checks.checkOf(sha)).conclusion).toBe('failure')
    Object.assign(checks.deps.jobs, { enqueueAll: enqueue })
    await Promise.all([checks.work(), checks.work()])
    expect((await checks.checkOf(sha)).conclusion).toBe('success')
    expect(await checks.app.test.asOwner('select 1 from commit_check_dues')).toEqual([])
  })
})
