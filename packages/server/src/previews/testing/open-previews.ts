import { randomBytes } from 'node:crypto'
import {
  buildKey,
  openConfigApp,
  type Answer,
  type ConfigApp,
} from '../../configs/testing/open-config-app.ts'
import { createFakeCodehost, type FakeCodehost } from '../../deployments/testing/fake-codehost.ts'
import { recordPullRequest } from '../../deployments/pull-requests/record-pull-request.ts'
import { recordCodehostEvent } from '../../deployments/reports/record-codehost-event.ts'
import type { CodehostPullRequest } from '../../providers/codehosts/pull-request.ts'
import type { PipelineIdentity } from '../../providers/pipeline-tokens.ts'
import type { ReportedState } from '../../providers/codehosts/deployment.ts'
import { sealedSecretsAddress } from '../../config-model/snapshot.ts'
import { followRepository } from '../follow-repository.ts'
import type { PreviewDeps } from '../preview-deps.ts'
import { mountPreviews } from '../routes.ts'
import { sweepPreviews } from '../open-previews.ts'

/** Describes what a host reports of a deployment. */
export interface Deployed {
  readonly id: number
  readonly environment: string
  readonly sha: string
  readonly branch?: string
  readonly state: ReportedState
  /** Counts up within the deployment. */
  readonly status: number
  readonly at: Date
  readonly createdAt?: Date
}

/** Holds previews on a real database, with a code host in memory, `staging` and `production`, and a schema `web` with canaries. */
export interface PreviewsApp {
  readonly app: ConfigApp
  readonly deps: PreviewDeps
  readonly host: FakeCodehost
  readonly schemaId: string
  readonly staging: string
  /** Holds the secrets of staging by key: texts that occur nowhere else. */
  readonly canaries: Readonly<Record<string, string>>
  now(): Date
  passMs(ms: number): void
  ask(body: object, pipeline?: Partial<PipelineIdentity>): Promise<Answer>
  addRule(rule?: object): Promise<Answer['body']>
  /** Reports a deployment, as a webhook does. */
  deploy(deployed: Deployed, repository?: Repository): Promise<void>
  /** Tells of a pull request, as a webhook does. */
  tell(pullRequest: CodehostPullRequest, repository?: Repository): Promise<void>
  /** Follows what was reported, as the job does. */
  follow(): Promise<void>
  /** Does what the schedule does. */
  sweep(): Promise<void>
  list(): Promise<Answer['body'][]>
  /** Opens everything that servers may read of an environment, every version of it. */
  openSecrets(environmentId: string): Promise<string>
  close(): Promise<void>
}

export interface Repository {
  readonly externalId: string
  readonly fullName: string
}

export const shop: Repository = { externalId: '42', fullName: 'acme/shop' }
const key = 'm2m'

/** Opens previews on a real database. */
export async function openPreviewsApp(): Promise<PreviewsApp> {
  let clock = 0
  const now = () => new Date(Date.now() + clock)
  const host = createFakeCodehost()
  const looks = new Set<string>()
  const made: { deps?: PreviewDeps; orgId?: string } = {}
  const actors = new Map<string, ReturnType<typeof buildKey>>()
  const app = await openConfigApp({
    now,
    mount(router, configs) {
      const deps: PreviewDeps = {
        store: {
          ...configs.store,
          maintenance: (work) => app.test.store.maintenance(work),
        },
        configs,
        jobs: {
          enqueueAll(_tx, _queue, jobs) {
            for (const { key: id } of jobs) if (id !== undefined) looks.add(id)
            return Promise.resolve()
          },
        },
        openCodehost: () => Promise.resolve(host),
        log: { warn: () => undefined },
        now,
      }
      made.deps = deps
      mountPreviews(router, {
        ...deps,
        authenticate({ authorization }) {
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
  actors.set(key, buildKey(app.orgId, 'm2m'))
  made.orgId = app.orgId
  const { deps } = made
  if (deps === undefined) throw new Error('Nothing was mounted')
  const { orgId } = app
  const staging = await app.addEnvironment('staging')
  const canary = () => `canary_${randomBytes(9).toString('hex')}`
  const canaries = { stripeKey: canary(), databaseUrl: canary(), mailKey: canary() }
  const secret = { type: 'string', tier: 'secret' } as const
  const schemaId = await app.addSchema('web', {
    title: { type: 'string', tier: 'public', default: 'Shop' },
    checkout: { type: 'boolean', default: false },
    stripeKey: secret,
    databaseUrl: secret,
    mailKey: { ...secret, default: canary() },
  })
  await app.ok(key, 'PUT /config-values', {
    body: { schemaId, environmentId: staging, values: { title: 'Staging', ...canaries } },
  })
  await app.test.asOwner(
    `insert into repositories (org_id, id, external_id, full_name) values ($1, 'rep_1', '42', 'acme/shop'),
      ($1, 'rep_2', '43', 'acme/other')`,
    [orgId],
  )
  await app.test.asOwner(
    `insert into integrations (org_id, id, kind, provider, state) values ($1, 'int_1', 'codehost', 'github', 'connected')`,
    [orgId],
  )
  const describe = (repository: Repository) => ({
    ...repository,
    defaultBranch: 'main',
    url: `https://code.example.com/${repository.fullName}`,
  })
  const repositoryIds = ['rep_1', 'rep_2']
  return {
    app,
    deps,
    host,
    schemaId,
    staging,
    canaries,
    now,
    passMs: (ms) => void (clock += ms),
    async ask(body, pipeline) {
      const claims = { provider: 'github', repositoryExternalId: '42', runId: '1', attempt: 1 }
      const token =
        pipeline === undefined
          ? key
          : `oidc:${Buffer.from(JSON.stringify({ ...claims, ...pipeline })).toString('base64url')}`
      const answer = await app.request(`/organizations/${orgId}/preview-environments`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const text = await answer.text()
      return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) }
    },
    async addRule(rule = {}) {
      const body = { pattern: 'pr-*', parentId: staging, ...rule }
      return (await app.ok('admin', 'POST /preview-rules', { body })).body
    },
    async deploy({ id, environment, sha, branch, state, status, at, createdAt = at }, of = shop) {
      const deployment = {
        externalId: String(id),
        sha,
        ref: branch ?? sha,
        task: 'deploy',
        environment,
        description: null,
        creator: null,
        payloadText: '',
        isTransient: true,
        createdAt,
        headBranch: branch ?? null,
        headCommitMessage: null,
        workflowId: null,
        run: null,
      }
      await recordCodehostEvent(
        {
          store: app.test.store,
          emit: () => Promise.resolve(),
          now,
          moveTestRuns: () => Promise.resolve(),
        },
        {
          orgId,
          source: 'webhook',
          event: {
            type: 'deploymentStatus',
            repository: describe(of),
            deployment,
            status: {
              externalId: String(id * 100 + status),
              state,
              environment: null,
              description: null,
              environmentUrl: null,
              logUrl: null,
              at,
            },
          },
        },
      )
    },
    async tell(pullRequest, of = shop) {
      await app.test.store.transaction({ orgId }, (tx) =>
        recordPullRequest(tx, orgId, { repository: describe(of), pullRequest }),
      )
    },
    async follow() {
      for (const repositoryId of repositoryIds)
        await followRepository(deps, { orgId, repositoryId })
    },
    async sweep() {
      await sweepPreviews(deps)
      for (const repositoryId of looks) await followRepository(deps, { orgId, repositoryId })
      looks.clear()
    },
    async list() {
      return (await app.ok('viewer', 'GET /preview-environments')).body.items
    },
    async openSecrets(environmentId) {
      const rows = await app.test.asOwner<{ version: number; sealed: Buffer }>(
        `select version, sealed_secrets as sealed from server_snapshots
         where org_id = $1 and environment_id = $2 and body is not null`,
        [orgId, environmentId],
      )
      const sealer = await app.test.store.transaction({ orgId }, (tx) =>
        app.deps.keys.getSealer(tx, orgId),
      )
      return rows
        .map(({ version, sealed }) =>
          sealer
            .open(sealedSecretsAddress({ orgId, schemaId, environmentId, version }), sealed)
            .toString('utf8'),
        )
        .join('\n')
    },
    close: () => app.close(),
  }
}
