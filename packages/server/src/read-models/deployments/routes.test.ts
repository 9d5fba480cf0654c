import { Problem } from '@signalbox/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildKey } from '../../configs/testing/open-config-app.ts'
import { newId } from '../../crypto/ids.ts'
import type { Actor } from '../../http/admission/actor.ts'
import { createTestRouter } from '../../http/testing/test-router.ts'
import { getDeployment } from './get-deployment.ts'
import { pageDeploymentRows, type DeploymentFilter } from './list-rows.ts'
import { mountDeployments } from '../../deployments/routes.ts'
import { readDeployment } from './read-deployment.ts'
import { mountDeploymentViews } from './routes.ts'
import {
  openDeployments,
  type TestDeployments,
  type TestOrganization,
} from '../../deployments/testing/open-deployments.ts'
import { toTestApp } from '../../http/testing/test-app.ts'

let app: TestDeployments
let organization: TestOrganization
let foreign: TestOrganization
let call: (as: string, method: string, path: string, body?: unknown) => Promise<Answer>

interface Answer {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any
}

beforeAll(async () => {
  app = await openDeployments()
  organization = await app.addOrganization()
  foreign = await app.addOrganization()
  const { orgId, staging } = organization
  const actors = new Map<string, Actor>([
    ['key', buildKey(orgId, 'm2m')],
    ['stagingKey', buildKey(orgId, 'm2m', { environmentIds: [staging] })],
    ['stranger', buildKey(foreign.orgId, 'm2m')],
  ])
  const router = createTestRouter({
    authenticate: ({ authorization }) => {
      const actor = actors.get(authorization?.replace('Bearer ', '') ?? '')
      if (actor === undefined) throw new Problem('invalid_credentials', 'Nobody is called so.')
      return Promise.resolve(actor)
    },
    resolveOrganization: (actor, ref) =>
      Promise.resolve(
        actor.type === 'api_key' && actor.orgId === ref
          ? { organization: { id: ref, slug: ref, name: 'Acme' }, role: undefined }
          : undefined,
      ),
  })
  mountDeployments(router, { ...app.deps, readDeployment })
  mountDeploymentViews(router, { ...app.deps, connectorOf: () => undefined })
  const server = toTestApp(router.build())
  call = async (as, method, path, body) => {
    const org = as === 'stranger' ? foreign.orgId : orgId
    const answer = await server.request(`/organizations/${org}/deployments${path}`, {
      method,
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json() }
  }
})
afterAll(() => app.close())

const input = (overrides: object = {}) => ({
  repository: 'acme/api',
  sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
  ref: 'main',
  environment: 'production',
  state: 'success',
  ...overrides,
})

describe('createDeployment', () => {
  it('records a deployment with the keys of its commits, in the environment it names', async () => {
    const { status, body } = await call(
      'key',
      'POST',
      '',
      input({ commitMessages: ['ABC-1 Add login', 'Use UTF-8'], url: 'https://api.example.com' }),
    )
    expect(status).toBe(201)
    expect(body).toMatchObject({
      externalId: null,
      repository: 'acme/api',
      environmentId: organization.production,
      state: 'success',
      refKind: 'branch',
      url: 'https://api.example.com',
      issueKeys: ['ABC-1'],
      testState: null,
    })
  })

  it('takes a commit message as git has it, and a name of one line only', async () => {
    const face = '\u{1F600}'
    const lines = ['ABC-2 Old Mac\rline ends', 'page\fbreak', 'a\0b \uD83D', face.repeat(80)]
    const message = [...lines, `ABC-3: ${face.repeat(200)}`, face.repeat(6_000)].join('\n')
    const { status, body } = await call('key', 'POST', '', input({ commitMessages: [message] }))
    expect(status).toBe(201)
    expect(body.issueKeys).toEqual(['ABC-2', 'ABC-3'])
    const [stored] = await app.test.asOwner<{ commit_message: string; evidence: string }>(
      `select commit_message, (select string_agg(i.evidence #>> '{0,text}', '|' order by key)
         from deployment_issues i where i.deployment_id = d.id) as evidence from deployments d where id = $1`,
      [body.id],
    )
    expect(stored?.commit_message).toContain('Old Mac\rline ends\npage\fbreak\na\uFFFDb \uFFFD\n')
    expect(stored?.evidence).toBe(`ABC-2 Old Mac\rline ends|ABC-3: ${face.repeat(71)} … ABC-3`)
    const named = await call('key', 'POST', '', input({ environment: 'prod\r' }))
    expect(named).toMatchObject({ status: 422, body: { errors: [{ pointer: '/environment' }] } })
  })

  it('takes reports of the same external id for one deployment, and the last state counts', async () => {
    const of = { environment: 'staging', externalId: 'build-7' }
    const started = await call('key', 'POST', '', input({ ...of, state: 'in_progress' }))
    const again = await call('key', 'POST', '', input({ ...of, state: 'in_progress' }))
    const done = await call('key', 'POST', '', input({ ...of, state: 'failure' }))
    expect(new Set([started, again, done].map(({ body }) => body.id)).size).toBe(1)
    expect(done.body).toMatchObject({ externalId: 'build-7', state: 'failure' })
    const { body } = await call('key', 'GET', `/${done.body.id}`)
    expect(body.timeline.map(({ title }: { title: string }) => title)).toEqual([
      'Created for staging',
      'Deployment started',
      'Deployment failed',
      'No message',
    ])
    expect(body.timeline.at(-1)).toMatchObject({
      state: 'skipped',
      detail: 'No chat is connected.',
      actions: [{ kind: 'connect', integration: 'chat' }],
    })
  })

  it('refuses a key that moves a deployment out of an environment that it does not reach', async () => {
    const externalId = 'guarded'
    await call('key', 'POST', '', input({ externalId }))
    const moving = input({ externalId, environment: 'staging', state: 'failure' })
    expect(await call('stagingKey', 'POST', '', moving)).toMatchObject({
      status: 403,
      body: { code: 'key_scope_forbidden' },
    })
  })
})

describe('listDeployments', () => {
  it('pages by the newest, and each deployment once', async () => {
    const repository = 'acme/paged'
    const branch = 'paged'
    for (let count = 0; count < 5; count += 1) {
      await call('key', 'POST', '', input({ repository, ref: branch, externalId: `p${count}` }))
    }
    const seen: string[] = []
    let cursor: string | null = ''
    do {
      const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const { body } = await call('key', 'GET', `?limit=2&branch=${branch}${from}`)
      seen.push(...body.items.map((item: { externalId: string }) => item.externalId))
      cursor = body.nextCursor
    } while (cursor !== null)
    expect(seen.toSorted()).toEqual(['p0', 'p1', 'p2', 'p3', 'p4'])
    expect(await call('key', 'GET', '?cursor=nonsense')).toMatchObject({
      status: 400,
      body: { code: 'invalid_cursor' },
    })
  })

  it('returns the matching deployments for each filter, and for all filters together', async () => {
    const sha = 'feedc0de'.repeat(5)
    const message = ['ABC-77 Add filters']
    const made = await call(
      'key',
      'POST',
      '',
      input({ sha, ref: 'filters', commitMessages: message }),
    )
    const { createdAt } = made.body
    const filters = [
      `environmentId=${organization.production}`,
      'branch=filters',
      'repository=Acme/API',
      'sha=feedc0d',
      'state=success',
      'issueKey=abc-77',
      `from=${createdAt}`,
      `to=${new Date(Date.parse(createdAt) + 1).toISOString()}`,
    ]
    const find = async (query: string) => {
      const { body } = await call('key', 'GET', `?${query}`)
      return body.items.map(({ id }: { id: string }) => id)
    }
    for (const filter of filters) expect(await find(filter)).toContain(made.body.id)
    expect(await find(filters.join('&'))).toEqual([made.body.id])
    for (const other of [
      'branch=none',
      'repository=acme/none',
      'sha=feedc0df',
      'issueKey=ABC-78',
      `to=${createdAt}`,
    ]) {
      expect(await find(other)).not.toContain(made.body.id)
    }
  })

  it('leaves out on request what never went live, and what is of an environment that is gone', async () => {
    const { orgId } = organization
    const [ref, of] = ['inactive', { ref: 'inactive', environment: 'inactive' }]
    const replaced = await call('key', 'POST', '', input({ ...of, state: 'queued' }))
    const failed = await call('key', 'POST', '', input({ ...of, state: 'failure' }))
    const gone = await call('key', 'POST', '', input({ ref, environment: 'pr-7' }))
    await app.test.asOwner(
      `with d as (update deployments set state = 'superseded' where org_id = $1 and id in ($2, $3))
      update host_environments set removed_at = now() where org_id = $1 and name = 'pr-7'`,
      [orgId, replaced.body.id, failed.body.id],
    )
    const find = async (query: string) => {
      const { body } = await call('key', 'GET', `?branch=${ref}${query}`)
      return body.items.map(({ id }: { id: string }) => id)
    }
    const all = [gone.body.id, failed.body.id, replaced.body.id]
    expect(await find('')).toEqual(all)
    expect(await find('&inactive=include')).toEqual(all)
    // It came to an end before it was replaced: it is a part of the history.
    expect(await find('&inactive=exclude')).toEqual([failed.body.id])
  })

  it('tells of the newest test run, or of one that failed and was not run again, the message that is worst off and when the commit was made', async () => {
    const { orgId } = organization
    const runId = newId('run', new Date())
    const { body: made } = await call('key', 'POST', '', input({ ref: 'told' }))
    expect(made).toMatchObject({
      commitMessage: null,
      tests: null,
      messageState: null,
      committedAt: null,
    })
    await app.test.asOwner(
      `with c as (insert into deployment_commits (org_id, deployment_id, position, sha, message, at)
          values ($1, $2, 0, $3, 'Tell', '2026-01-02T03:04:05Z')),
        n as (insert into notifications (org_id, id, subject_kind, subject_id, route_id, state)
          values ($1, 'ntf_1', 'deployment', $2, '', 'live'), ($1, 'ntf_2', 'deployment', $2, 'rte_1', 'broken'))
      insert into test_runs (org_id, id, deployment_id, name, state, passed, failed, flaky, contaminated_by, created_at)
        values ($1, 'run_older', $2, 'e2e', 'failed', 1, 1, null, null, '2026-01-02'),
          ($1, $4, $2, 'e2e', 'passed', 7, 0, 2, $2, '2026-01-03')`,
      [orgId, made.id, made.sha, runId],
    )
    const { body } = await call('key', 'GET', '?branch=told')
    expect(body.items).toMatchObject([
      {
        commitMessage: 'Tell',
        testState: 'passed',
        tests: { runId, passed: 7, failed: 0, flaky: 2, contaminated: true },
        messageState: 'broken',
        committedAt: '2026-01-02T03:04:05.000Z',
      },
    ])
    const lintId = newId('run', new Date())
    await app.test.asOwner(
      `insert into test_runs (org_id, id, deployment_id, name, state, created_at)
        values ($1, $3, $2, 'lint', 'timed_out', '2026-01-01')`,
      [orgId, made.id, lintId],
    )
    const other = await call('key', 'GET', '?branch=told')
    expect(other.body.items).toMatchObject([{ testState: 'timed_out', tests: { runId: lintId } }])
  })

  it('shows a restricted key its environments, and a stranger nothing', async () => {
    await call('key', 'POST', '', input({ environment: 'staging' }))
    const { body } = await call('stagingKey', 'GET', '')
    expect(body.items.length).toBeGreaterThan(0)
    for (const { environmentId } of body.items) expect(environmentId).toBe(organization.staging)
    expect(
      await call('stagingKey', 'GET', `?environmentId=${organization.production}`),
    ).toMatchObject({ status: 403 })
    expect((await call('stranger', 'GET', '')).body).toEqual({ items: [], nextCursor: null })
  })
})

describe('getDeployment', () => {
  it('shows what belongs to it', async () => {
    const commitMessages = ['ABC-5 Add login']
    const made = await call('key', 'POST', '', input({ commitMessages, environment: 'live' }))
    const { status, body } = await call('key', 'GET', `/${made.body.id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      issues: [
        {
          key: 'ABC-5',
          formerKey: null,
          state: 'pending',
          evidence: [{ source: 'api', sha: null, text: 'ABC-5 Add login', isRevert: false }],
        },
      ],
      commits: [],
      range: null,
      testRuns: [],
      messages: [],
      configVersions: [],
    })
  })

  it('shows the deployments before and after it in its repository and environment', async () => {
    const deploy = async (repository: string, environment = 'staging') => {
      const made = await call('key', 'POST', '', input({ repository, environment }))
      return made.body.id
    }
    const first = await deploy('acme/chain')
    await deploy('acme/chain', 'production')
    await deploy('acme/other')
    const second = await deploy('acme/chain')
    const third = await deploy('acme/chain')
    const { body } = await call('key', 'GET', `/${second}`)
    expect(body).toMatchObject({
      older: { id: first },
      newer: { id: third },
      compareUrl: null,
      codehostRepositoryId: null,
      deployWorkflow: null,
      canRunWorkflows: false,
    })
    expect((await call('key', 'GET', `/${first}`)).body.older).toBeNull()
    expect((await call('key', 'GET', `/${third}`)).body.newer).toBeNull()
  })

  it('links to the difference at its code host, and names the workflow whose run made it', async () => {
    const { orgId } = organization
    const repository = 'acme/compared'
    const state = { state: 'success', environment: 'staging' }
    const first = await call(
      'key',
      'POST',
      '',
      input({ repository, sha: 'a'.repeat(40), ...state }),
    )
    const made = await call('key', 'POST', '', input({ repository, sha: 'b'.repeat(40), ...state }))
    await app.test.asOwner(
      `with of as (update repositories set external_id = '77', url = 'https://host.example/acme/compared'
          where org_id = $1 and full_name = $2 returning id),
        host as (insert into integrations (org_id, id, kind, provider, state)
          select $1, 'int_host', 'codehost', 'github', 'connected'
          where not exists (select from integrations where org_id = $1 and kind = 'codehost'))
        insert into workflows (org_id, repository_id, external_id, name, path, state, dispatchable, fetched_at)
          select $1, id, '5', 'Deploy', '.github/workflows/deploy.yml', 'active', true, now() from of`,
      [orgId, repository],
    )
    const { body } = await call('key', 'GET', `/${made.body.id}`)
    expect(body).toMatchObject({
      previous: { id: first.body.id },
      compareUrl: `https://host.example/acme/compared/compare/${'a'.repeat(40)}...${'b'.repeat(40)}`,
      codehostRepositoryId: '77',
      // A name says nothing certain: only the run that made it does.
      deployWorkflow: null,
      canRunWorkflows: true,
    })
    await app.test.asOwner(`update deployments set workflow_id = '5' where id = $1`, [made.body.id])
    const { body: known } = await call('key', 'GET', `/${made.body.id}`)
    expect(known.deployWorkflow).toEqual({ id: '5', name: 'Deploy' })
    await app.test.asOwner(`update workflows set dispatchable = false where external_id = '5'`)
    const { body: stopped } = await call('key', 'GET', `/${made.body.id}`)
    expect(stopped).toMatchObject({
      madeBy: { id: '5', name: 'Deploy' },
      deployWorkflow: null,
      canRunWorkflows: false,
    })
  })

  it('says that no workflow tests it where one tests another repository alone', async () => {
    const ids = new Map([
      ['acme/tested', '78'],
      ['acme/untested', '79'],
      ['acme/reported', null],
    ])
    const made = new Map<string, string>()
    for (const repository of ids.keys())
      made.set(repository, (await call('key', 'POST', '', input({ repository }))).body.id)
    await app.test.asOwner(
      `update repositories r set external_id = of.id from json_to_recordset($2) as of (name text, id text)
        where r.org_id = $1 and r.full_name = of.name`,
      [organization.orgId, JSON.stringify([...ids].map(([name, id]) => ({ name, id })))],
    )
    const read = async (testWorkflows: readonly object[]) => {
      await app.test.asOwner(
        `update integrations set settings = $2 where org_id = $1 and kind = 'codehost'`,
        [organization.orgId, { testWorkflows }],
      )
      const pages = [...made.values()].map((id) => call('key', 'GET', `/${id}`))
      const titles = (await Promise.all(pages)).map(({ body }) =>
        body.timeline.find(({ title }: { title: string }) => title.startsWith('No tests')),
      )
      return titles.map(({ title, detail }) => [title, detail.split('.')[0]])
    }
    const none = (repository: string) => [
      'No tests',
      `No workflow tests deployments of ${repository}`,
    ]
    const waits = ['No tests yet', expect.stringContaining('after the last deployment')]
    const named = { workflowId: 'e2e.yml', repositoryId: '78' }
    expect(await read([named])).toEqual([waits, none('acme/untested'), none('acme/reported')])
    expect(await read([{ workflowId: 'e2e.yml' }])).toEqual([waits, waits, none('acme/reported')])
    expect(await read([])).toEqual([...ids.keys()].map(none))
  })

  it('marks what is at a code host that another one has replaced, which knows nothing of it', async () => {
    const { orgId } = organization
    const repository = 'acme/compared'
    const state = { state: 'success', environment: 'staging' }
    await call('key', 'POST', '', input({ repository, sha: 'c'.repeat(40), ...state }))
    const made = await call('key', 'POST', '', input({ repository, sha: 'd'.repeat(40), ...state }))
    const moveTo = (externalId: string | null) =>
      app.test.asOwner(
        `with of as (update repositories set external_id = $3, url = 'https://host.example/acme/former'
           where org_id = $1 and full_name = $2 returning id)
         insert into workflows (org_id, repository_id, external_id, name, path, state, dispatchable, fetched_at)
           select $1, id, '6', 'Deploy', '.github/workflows/deploy.yml', 'active', true, now() from of
           on conflict do nothing`,
        [orgId, repository, externalId],
      )
    const marks = async () => {
      const { body: list } = await call('key', 'GET', `?repository=${repository}&limit=1`)
      const { body } = await call('key', 'GET', `/${made.body.id}`)
      const { isOfFormerHost, codehostRepositoryId, canRunWorkflows, compareUrl } = body
      const listed = list.items.map((each: { isOfFormerHost: boolean }) => each.isOfFormerHost)
      return [listed, isOfFormerHost, codehostRepositoryId, canRunWorkflows, compareUrl !== null]
    }
    // Control: one that only pipelines report is at none, and one of the connected host is at that.
    await moveTo(null)
    expect(await marks()).toEqual([[false], false, null, false, true])
    await moveTo('88')
    expect(await marks()).toEqual([[false], false, '88', true, true])
    await moveTo('gitlab.example.com/88')
    expect(await marks()).toEqual([[true], true, null, false, false])
    // Without a connection nothing has replaced it.
    const connect = (to: string) =>
      app.test.asOwner(
        `update integrations set state = $2 where org_id = $1 and kind = 'codehost'`,
        [orgId, to],
      )
    await connect('disconnected')
    expect(await marks()).toEqual([[false], false, null, false, false])
    await connect('connected')
  })

  it('says that commits cannot be read where no code host is connected', async () => {
    const { orgId } = organization
    const { body } = await call('key', 'POST', '', input({ sha: 'e'.repeat(40) }))
    const unread = async () => (await call('key', 'GET', `/${body.id}`)).body.commitsUnread
    // They are about to be read.
    expect(await unread()).toBeNull()
    const set = (text: string) => app.test.asOwner(`update ${text} where org_id = $1`, [orgId])
    await set(
      `integrations set state = case kind when 'codehost' then 'disconnected' else state end`,
    )
    expect(await unread()).toBe('Its commits cannot be read, because no code host is connected.')
    await app.test.asOwner(
      `update deployments set range = '{"base":null,"head":"6dcb09b","status":null,"total":1,"truncated":false,"comparedAt":"2026-11-29T10:00:00.000Z"}' where id = $1`,
      [body.id],
    )
    // Commits that were read before stay known.
    expect(await unread()).toBeNull()
    await set(`integrations set state = 'connected'`)
  })

  it('takes as many statements for a large deployment as for a small one', async () => {
    const externalId = 'large'
    const repository = 'acme/large'
    const small = await call('key', 'POST', '', input({ repository, externalId }))
    const count = async () => {
      let statements = 0
      const counting = {
        ...app.deps,
        store: {
          transaction: ((scope, work) =>
            app.deps.store.transaction(scope, (tx) =>
              work({
                ...tx,
                query: (statement) => {
                  statements += 1
                  return tx.query(statement)
                },
              }),
            )) satisfies typeof app.deps.store.transaction,
        },
      }
      const { orgId } = organization
      const caller = { orgId, scope: { orgId }, environmentIds: null }
      await getDeployment(counting, caller, small.body.id)
      return statements
    }
    const before = await count()
    const many = Array.from({ length: 40 }, (_, at) => `ABC-${at + 1}`)
    await call('key', 'POST', '', input({ repository, externalId, commitMessages: many }))
    expect(await count()).toBe(before)
    expect(before).toBe(13)
  })
})

describe('the plan of each filter', () => {
  const plan = async (filter: Partial<DeploymentFilter>) => {
    let explained = ''
    const { orgId } = foreign
    await app.test.store.transaction({ orgId }, async (tx) => {
      const explain = async <R extends object>(statement: Parameters<typeof tx.query>[0]) => {
        const { name, text, values } = statement
        const explaining = { name: `explain-${name}`, text: `explain ${text}`, values }
        const rows = await tx.query<{ 'QUERY PLAN': string }>(explaining)
        explained = rows.map((row) => row['QUERY PLAN']).join('\n')
        return new Array<R>()
      }
      const after = { createdAt: new Date(), id: 'dep_z' }
      await pageDeploymentRows(
        { ...tx, query: explain },
        orgId,
        { environmentIds: null, ...filter },
        { after, limit: 10 },
      )
    })
    return explained
  }

  it('uses the index that is made for it', async () => {
    await app.test.asOwner(
      `insert into repositories (org_id, id, full_name) values ($1, 'rep_many', 'acme/many')`,
      [foreign.orgId],
    )
    await app.test.asOwner(
      `insert into deployments (org_id, id, repository_id, external_id, sha, ref, branch, ref_kind, host_environment,
          environment_id, state, source, created_at)
        select $1, 'dep_' || n, 'rep_many', n, md5(n::text), 'b' || n % 500, 'b' || n % 500, 'branch', 'e',
          'env_' || n % 500, 's' || n % 500, 'api', now() - n * interval '1 minute' from generate_series(1, 20000) n`,
      [foreign.orgId],
    )
    // The check of each issue's deployment would go on with the plan that was good for a handful of rows.
    await app.test.asOwner('analyze deployments')
    await app.test.asOwner(
      `insert into deployment_issues (org_id, deployment_id, key, state)
        select $1, 'dep_' || n, 'ABC-' || n % 5000, 'linked' from generate_series(1, 20000) n`,
      [foreign.orgId],
    )
    await app.test.asOwner('analyze deployments, deployment_issues, repositories')
    expect(await plan({})).toContain('deployments_list')
    expect(await plan({ environmentId: 'env_1' })).toContain('deployments_environment')
    expect(await plan({ branch: 'b1' })).toContain('deployments_branch')
    expect(await plan({ state: 'success' })).toContain('deployments_state')
    const failed = { environmentId: 'env_1', state: 'failure' } as const
    expect(await plan(failed)).toContain('deployments_environment_state')
    expect(await plan({ issueKey: 'ABC-1' })).toContain('deployment_issues_key')
    expect(await plan({ sha: 'feedc0d' })).toContain('deployments_sha')
  })
})
