import { limits } from '@signalbox/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hostFailure } from '../deployments/testing/fake-codehost.ts'
import { listCurrentChecksOf } from './read-check.ts'
import { recheckDue } from './recheck.ts'
import { needsStripe, openChecks, shaOf, type ChecksApp } from './testing/open-checks.ts'

let checks: ChecksApp
const repository = 'acme/shop'

beforeEach(async () => {
  checks = await openChecks()
})
afterEach(() => checks.close())

const count = async (table: 'commit_checks' | 'commit_definitions'): Promise<number> =>
  (await checks.app.test.asOwner(`select 1 from ${table}`)).length
const pull = (more: object = {}) => ({
  number: 7,
  url: 'https://github.com/acme/shop/pull/7',
  state: 'open' as const,
  headSha: shaOf('a'),
  headRef: 'checkout',
  isFork: false,
  updatedAt: new Date(Date.now() + 60_000),
  ...more,
})
const ready = { title: needsStripe.title }
const stateOf = async (sha: string): Promise<string> => (await checks.checkOf(sha)).state

describe('an upload is refused, and stores nothing', () => {
  // Its own failure names the test.
  afterEach(async () => {
    const stored = await count('commit_checks')
    if (stored > 0) throw new Error(`${stored} checks were stored`)
  })

  it('of a pull request for the branch that it is to be merged into', async () => {
    const [base, head, merge] = [shaOf('0'), shaOf('a'), shaOf('f')]
    checks.host.parents.set(merge, [base, head])
    checks.host.pulls.set('42 7', pull())
    const { status, body } = await checks.upload({ sha: base }, { sha: merge, pullRequest: 7 })
    expect(status).toBe(422)
    expect(body.errors[0].pointer).toBe('/sha')
  })

  it('of a key that reads, that is made for some environments or schemas, or that browsers have', async () => {
    const sha = shaOf('a')
    const codes: string[] = []
    for (const as of ['reader', 'ofEnvironment', 'ofSchema', 'browser'] as const)
      codes.push((await checks.upload({ repository, sha }, as)).body.code)
    expect(codes).toEqual([
      'key_read_only',
      'key_scope_forbidden',
      'key_scope_forbidden',
      'key_kind_forbidden',
    ])
  })

  it('of another organization, and says no more where there is none', async () => {
    const { otherOrgId } = checks.app
    const run = { sha: shaOf('a'), ref: 'refs/heads/main' }
    const key = await checks.upload({ repository, sha: shaOf('a') }, 'm2m', otherOrgId)
    expect(key.body.code).toBe('not_found')
    const [foreign, none] = [
      await checks.upload({}, run, otherOrgId),
      await checks.upload({}, run, 'nobody'),
    ]
    expect(foreign.body.code).toBe('invalid_credentials')
    expect(foreign.body.detail).toBe(none.body.detail)
  })

  it('of a run whose token names no commit, such as one for the code of others', async () => {
    const { body } = await checks.upload({ sha: shaOf('a') }, { ref: 'refs/heads/main' })
    expect(body.code).toBe('invalid_credentials')
    expect(body.detail).toContain('push')
  })

  it('of a pull request that the code host does not let us read, and says what is missing', async () => {
    checks.host.beforeCall = () => {
      throw hostFailure('forbidden')
    }
    const run = { sha: shaOf('f'), pullRequest: 7 }
    const { body } = await checks.upload({ sha: shaOf('a') }, run)
    expect(body.code).toBe('provider_error')
    expect(body.detail).toContain('permission')
  })

  it('of a definition that is too large or breaks the rules of definitions', async () => {
    const sha = shaOf('a')
    const keys = Array.from({ length: limits.keysPerSchema + 1 }, (_, at) => `k${String(at)}`)
    const many = Object.fromEntries(keys.map((name) => [name, { type: 'string' }]))
    const tooMany = await checks.upload({ repository, sha, definition: many })
    expect([tooMany.status, tooMany.body.code]).toEqual([422, 'too_many_items'])
    const long = { a: { type: 'string', description: 'x'.repeat(limits.schemaBodyBytes) } }
    expect((await checks.upload({ repository, sha, definition: long })).status).toBe(413)
    const flag = { a: { type: 'string', tier: 'featureFlags' } }
    expect((await checks.upload({ repository, sha, definition: flag })).body.code).toBe(
      'tier_mismatch',
    )
    const pattern = { a: { type: 'string', constraints: { pattern: '(' } } }
    expect((await checks.upload({ repository, sha, definition: pattern })).status).toBe(422)
  })
})

describe('the schemas of a commit', () => {
  it('are told apart as schemas are: not by the case of their names', async () => {
    const sha = shaOf('a')
    await checks.upload({ repository, sha, schema: 'web' })
    const { body } = await checks.upload({ repository, sha, schema: 'WEB', definition: ready })
    expect(body).toMatchObject({ conclusion: 'success', schemas: [{ schemaId: checks.schemaId }] })
    expect(body.schemas).toHaveLength(1)
  })

  it('are so many at most, and one more changes nothing', async () => {
    const sha = shaOf('a')
    for (let at = 0; at < limits.schemasPerCommit; at++)
      await checks.upload({ repository, sha, schema: `s${String(at)}`, definition: {} })
    const { body } = await checks.upload({ repository, sha, schema: 'more', definition: {} })
    expect(body.code).toBe('quota_exceeded')
    expect(await count('commit_definitions')).toBe(limits.schemasPerCommit)
    const again = await checks.upload({ repository, sha, schema: 's1', definition: {} })
    expect(again.status).toBe(200)
  })
})

describe('a value that an environment inherits', () => {
  it('is refused where it is served, not where it is set alone', async () => {
    const { app, production, staging } = checks
    await app.ok('m2m', `PATCH /environments/${production}`, { body: { parentId: staging } })
    await checks.set({ title: 'A title that is too long' }, staging)
    const definition = {
      title: { type: 'string', tier: 'public', constraints: { maxLength: 3 } },
    }
    const { body } = await checks.upload({ repository, sha: shaOf('a'), definition })
    const results = body.schemas[0].environments.map(({ result }: { result: string }) => result)
    expect(results).toEqual(['invalid', 'invalid'])
  })
})

describe('a check that is open', () => {
  it('stays so when a fork proposes a branch of the same name', async () => {
    const sha = shaOf('a')
    await checks.upload({ repository, sha, ref: 'main' })
    await checks.tell(pull({ headSha: shaOf('b'), headRef: 'main', isFork: true }))
    await checks.work()
    expect(await stateOf(sha)).toBe('open')
  })

  it('stays so when the pipeline of an older commit of its branch runs again', async () => {
    const [first, second] = [shaOf('a'), shaOf('b')]
    for (const sha of [first, second, first]) {
      await checks.upload({ repository, sha, ref: 'main' })
      checks.passMs(1000)
    }
    expect([await stateOf(first), await stateOf(second)]).toEqual(['closed', 'open'])
  })

  it('is that of a commit which goes live, where no other is open', async () => {
    const sha = shaOf('a')
    await checks.upload({}, { sha, ref: 'refs/tags/v1' })
    await checks.work()
    expect(await stateOf(sha)).toBe('closed')
    await checks.app.test.asOwner('delete from commit_check_dues')
    await checks.deploy(sha)
    await checks.work()
    expect(await stateOf(sha)).toBe('open')
  })

  it('is stored whole when many are uploaded, compared and deployed at the same time', async () => {
    const shas = Array.from({ length: 24 }, (_, at) => at.toString(16).padStart(40, '0'))
    await Promise.all(
      shas.flatMap((sha, at) => [
        checks.upload({ repository, sha, ref: `branch-${String(at % 3)}` }),
        recheckDue(checks.deps),
      ]),
    )
    await checks.work()
    const rows = await checks.app.test.asOwner(
      `select count(*)::integer as open from commit_checks where state = 'open'`,
    )
    expect(rows).toEqual([{ open: 3 }])
    expect(await count('commit_checks')).toBe(24)
  })
})

describe('who decides by the check of a commit', () => {
  it('reads it as it is now, also when it is closed and no longer compared', async () => {
    const [old, next] = [shaOf('a'), shaOf('b')]
    const definition = { title: { type: 'string', tier: 'public', required: true } }
    await checks.upload({ repository, sha: old, ref: 'main', definition })
    await checks.upload({ repository, sha: next, ref: 'main', definition })
    for (const environmentId of [checks.staging, checks.production])
      await checks.set({ title: 'Shop' }, environmentId)
    const { store, keys } = checks.deps
    const { orgId } = checks.app
    const [check] = await store.transaction({ orgId }, (tx) =>
      listCurrentChecksOf({ keys }, tx, orgId, [{ repositoryId: 'rep_1', sha: old }]),
    )
    const results = check?.schemas.flatMap(({ environments }) =>
      environments.map(({ result }) => result),
    )
    expect(results).toEqual(['ready', 'ready'])
    expect((await checks.checkOf(old)).conclusion).toBe('failure')
  })
})

describe('a status that reaches the code host after a newer one', () => {
  it('is written again, so that the newer one stands there', async () => {
    const sha = shaOf('a')
    await checks.upload({ repository, sha, ref: 'main' })
    const { statuses } = checks.host
    let isSlow = true
    Object.assign(checks.host, {
      statuses: {
        async write(...of: Parameters<typeof statuses.write>) {
          if (isSlow) {
            isSlow = false
            await checks.upload({ repository, sha, ref: 'main', definition: ready })
            await checks.work()
          }
          return statuses.write(...of)
        },
      },
    })
    await checks.work()
    expect(checks.host.written.map(({ state }) => state)).toEqual(['success', 'failure'])
    await checks.work()
    expect(checks.host.written.at(-1)?.state).toBe('success')
    expect((await checks.checkOf(sha)).report.state).toBe('written')
  })
})
