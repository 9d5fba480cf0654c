import {
  buildKey,
  openConfigApp,
  type Answer,
  type ConfigApp,
} from '../../configs/testing/open-config-app.ts'
import { createFakeCodehost, type FakeCodehost } from '../../deployments/testing/fake-codehost.ts'
import type { CodehostPullRequest } from '../../providers/codehosts/pull-request.ts'
import type { PipelineIdentity } from '../../providers/pipeline-tokens.ts'
import type { Actor, ApiKeyActor } from '../../http/admission/actor.ts'
import type { CheckDeps } from '../check-deps.ts'
import { recheckDue } from '../recheck.ts'
import { recordPullRequestEvent } from '../record-pull-request-event.ts'
import { mountCommitChecks } from '../routes.ts'
import { writeStatus } from '../write-status.ts'

/** Holds a service whose code host is in memory, with a schema `web` in staging and production, and a repository `acme/shop`. */
export interface ChecksApp {
  readonly app: ConfigApp
  readonly deps: CheckDeps
  readonly host: FakeCodehost
  readonly schemaId: string
  readonly staging: string
  readonly production: string
  /** Lists the checks whose status is to be written. */
  readonly reports: string[]
  /** Moves the clock. */
  passMs(ms: number): void
  /** Uploads as the server key, with the token of a pipeline, or as another key of `keyNames`. */
  upload(body: object, as?: Partial<PipelineIdentity> | KeyName, org?: string): Promise<Answer>
  set(values: object, environmentId?: string): Promise<void>
  /** Tells of a pull request, as a webhook does. */
  tell(pullRequest: CodehostPullRequest): Promise<boolean>
  /** Compares what is due, and writes what is to be written. */
  work(): Promise<void>
  checkOf(sha: string): Promise<Answer['body']>
  /** Adds a deployment that runs in an environment, in place of the one before. */
  deploy(sha: string, environmentId?: string): Promise<void>
  close(): Promise<void>
}

/** Holds a definition with one required key. */
export const needsStripe = {
  title: { type: 'string', tier: 'public', default: 'Shop' },
  stripeKey: { type: 'string', tier: 'secret', required: true },
} as const

export const shaOf = (letter: string): string => letter.repeat(40)
const key = 'm2m'
/** Names the keys of the tests, by what each may. */
export type KeyName = 'm2m' | 'reader' | 'ofEnvironment' | 'ofSchema' | 'browser'

/** Opens checks on a real database. */
export async function openChecks(): Promise<ChecksApp> {
  let clock = 0
  const now = () => new Date(Date.now() + clock)
  const host = createFakeCodehost()
  const reports: string[] = []
  const actors = new Map<string, Actor>()
  const made: { deps?: CheckDeps; orgId?: string } = {}
  const app = await openConfigApp({
    now,
    mount(router, { store, keys }) {
      const deps: CheckDeps = {
        // The configuration has no maintenance of its own; the test store has.
        store: { ...store, maintenance: (work) => app.test.store.maintenance(work) },
        keys,
        jobs: {
          enqueueAll(_tx, _queue, jobs) {
            for (const { key: id } of jobs) if (id !== undefined) reports.push(id)
            return Promise.resolve()
          },
        },
        openCodehost: () => Promise.resolve(host),
        publicUrl: () => 'https://signalbox.example.com',
        now,
      }
      made.deps = deps
      mountCommitChecks(router, {
        ...deps,
        authenticate: ({ authorization }) => {
          const actor = actors.get(authorization?.replace('Bearer ', '') ?? '')
          return actor === undefined
            ? Promise.reject(new Error('Nobody is called so'))
            : Promise.resolve(actor)
        },
        resolveOrganization: (_actor, ref) =>
          Promise.resolve(
            ref === made.orgId
              ? {
                  organization: { id: ref, slug: 'test', name: 'Test' },
                  role: undefined,
                  grants: [],
                }
              : undefined,
          ),
        findOrganizationId: (ref) => Promise.resolve(ref === made.orgId ? ref : undefined),
        // The token spells out its claims. The tests of the verification cover real ones.
        pipelineTokens: {
          isOurs: (token) => token.startsWith('oidc:'),
          verify: (token) =>
            Promise.resolve(
              JSON.parse(Buffer.from(token.slice(5), 'base64url').toString('utf8')) as never,
            ),
        },
      })
    },
  })
  made.orgId = app.orgId
  const { deps } = made
  if (deps === undefined) throw new Error('Nothing was mounted')
  const staging = await app.addEnvironment('staging')
  const production = await app.addEnvironment('production')
  await app.ok(key, `PATCH /environments/${production}`, { body: { production: true } })
  const schemaId = await app.addSchema('web', { title: { type: 'string', tier: 'public' } })
  const { orgId } = app
  const reader: Partial<ApiKeyActor> = { access: 'read' }
  actors.set(key, buildKey(orgId, 'm2m'))
  actors.set('reader', buildKey(orgId, 'm2m', reader))
  actors.set('ofEnvironment', buildKey(orgId, 'm2m', { environmentIds: [staging] }))
  actors.set('ofSchema', buildKey(orgId, 'm2m', { schemaIds: [schemaId] }))
  actors.set('browser', buildKey(orgId, 'b2m'))
  host.repositories.push({
    externalId: '42',
    fullName: 'acme/shop',
    defaultBranch: 'main',
    url: 'https://github.com/acme/shop',
    environments: [],
    deployments: [],
  })
  await app.test.asOwner(
    `insert into repositories (org_id, id, external_id, full_name) values ($1, 'rep_1', '42', 'acme/shop'),
      ($1, 'rep_2', '43', 'acme/other')`,
    [app.orgId],
  )
  await app.test.asOwner(
    `insert into integrations (org_id, id, kind, provider, state, scopes)
      values ($1, 'int_1', 'codehost', 'github', 'connected', '{checks:write,statuses:write}')`,
    [app.orgId],
  )
  let deployed = 0
  return {
    app,
    deps,
    host,
    schemaId,
    staging,
    production,
    reports,
    passMs: (ms) => void (clock += ms),
    async upload(body, as = key, org = app.orgId) {
      const claims = { provider: 'github', repositoryExternalId: '42', runId: '1', attempt: 1 }
      const token =
        typeof as === 'string'
          ? as
          : `oidc:${Buffer.from(JSON.stringify({ ...claims, ...as })).toString('base64url')}`
      const answer = await app.request(`/organizations/${org}/commit-checks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ schema: 'web', definition: needsStripe, ...body }),
      })
      const text = await answer.text()
      return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) }
    },
    async set(values, environmentId = production) {
      await app.ok(key, 'PUT /config-values', { body: { schemaId, environmentId, values } })
    },
    tell: (pullRequest) =>
      recordPullRequestEvent(deps, app.orgId, {
        repository: {
          externalId: '42',
          fullName: 'acme/shop',
          defaultBranch: 'main',
          url: 'https://github.com/acme/shop',
        },
        pullRequest,
      }),
    async work() {
      await recheckDue(deps)
      const due = new Set(reports.splice(0))
      for (const id of due) await writeStatus(deps, { orgId: app.orgId, id })
    },
    async checkOf(sha) {
      const { body } = await app.ok(key, `GET /commit-checks?sha=${sha}`)
      return body.items[0]
    },
    async deploy(sha, environmentId = production) {
      await app.test.asOwner(
        `update deployments set state = 'superseded' where org_id = $1 and environment_id = $2 and state = 'success'`,
        [app.orgId, environmentId],
      )
      deployed += 1
      await app.test.asOwner(
        `insert into deployments (org_id, id, repository_id, external_id, sha, ref, ref_kind, host_environment, environment_id, state,
            source, created_at)
          values ($1, $2, 'rep_1', $2, $3, 'main', 'branch', 'production', $4, 'success', 'api', now())`,
        [app.orgId, `dep_${String(deployed)}`, sha, environmentId],
      )
    },
    close: () => app.close(),
  }
}
