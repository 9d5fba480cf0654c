import type { Role } from '@signalbox/contract'
import {
  buildKey,
  openConfigApp,
  type Answer,
  type ConfigApp,
} from '../../configs/testing/open-config-app.ts'
import { addMember } from '../../configs/testing/add-member.ts'
import type { Actor } from '../../http/admission/actor.ts'
import type { CodehostWait, CodehostWaits } from '../../providers/codehosts/wait.ts'
import type { PipelineIdentity } from '../../providers/pipeline-tokens.ts'
import { ProviderError, type ProviderFailure } from '../../providers/provider-error.ts'
import { mountDeploymentViews } from '../../read-models/deployments/routes.ts'
import { answerHost } from '../answer-host.ts'
import type { GateDeps } from '../gate-deps.ts'
import { mountGates } from '../gate-routes.ts'
import { judgeDecisions } from '../judge-decisions.ts'
import { recordWait, type WaitOutcome } from '../record-wait.ts'

/** Holds what a pretended code host has been sent, which takes one answer of each run and environment. */
export interface FakeWaits extends CodehostWaits {
  readonly comments: string[]
  readonly answers: {
    readonly runId: string
    readonly attempt: number
    readonly state: string
    readonly text: string
  }[]
  /** Maps each run to the attempt that it is in. Left out: the first. */
  readonly attempts: Map<string, number>
  /** Counts the calls that were made to answer. */
  calls: number
  /** Fails the next calls. */
  failure: ProviderFailure | undefined
  /** Called after an answer has arrived, and before the service knows that. */
  afterAnswer: () => Promise<void> | void
}

/** Holds gates on a real database, with a schema in staging and production, a repository `acme/shop`, and members. */
export interface GatesApp {
  readonly app: ConfigApp
  readonly deps: GateDeps
  readonly waits: FakeWaits
  readonly staging: string
  readonly production: string
  /** Lists the decisions whose answer is to be brought to the code host. */
  readonly answers: string[]
  passMs(ms: number): void
  now(): Date
  addGate(rules: object[], more?: object): Promise<string>
  /** Asks as a pipeline whose token says this, or as a key. */
  ask(body: object, as: Partial<PipelineIdentity> | string): Promise<Answer>
  /** Tells that a run waits, as a webhook does. */
  tell(wait?: Partial<CodehostWait & { attempt: number }>): Promise<WaitOutcome>
  /** Judges what waits, and answers what is to be answered. */
  work(): Promise<void>
  decisions(): Promise<Answer['body'][]>
  addDeployment(of: {
    readonly sha: string
    readonly environmentId: string
    readonly state?: string
    readonly externalId?: string
    readonly minutesAgo?: number
  }): Promise<string>
  addRun(of: {
    readonly sha: string
    readonly state: string
    readonly name?: string
    readonly contaminatedBy?: string
    readonly testedSha?: string
  }): Promise<void>
  person(name: string, role: Role): Promise<string>
  close(): Promise<void>
}

export const shaOf = (letter: string): string => letter.repeat(40)

function createFakeWaits(): FakeWaits {
  const fail = (failure: ProviderFailure) =>
    new ProviderError({ provider: 'github', failure, code: 'broken' })
  const waits: FakeWaits = {
    comments: [],
    answers: [],
    attempts: new Map(),
    calls: 0,
    failure: undefined,
    afterAnswer: () => undefined,
    commentsMax: 10,
    commentLength: 1_024,
    read: (_repository, wait) => Promise.resolve({ ...wait, attempt: wait.attempt ?? 1 }),
    comment(_repository, _wait, text) {
      if (waits.failure !== undefined) return Promise.reject(fail(waits.failure))
      if (text.length > 1_024 || waits.comments.length >= 10)
        return Promise.reject(fail('rejected'))
      waits.comments.push(text)
      return Promise.resolve()
    },
    async answer(_repository, { runId }, { state, text }) {
      waits.calls += 1
      if (waits.failure !== undefined) throw fail(waits.failure)
      const attempt = waits.attempts.get(runId) ?? 1
      if (!waits.answers.some((each) => each.runId === runId && each.attempt === attempt))
        waits.answers.push({ runId, attempt, state, text })
      await waits.afterAnswer()
    },
  }
  return waits
}

/** Opens gates on a real database. */
export async function openGatesApp(): Promise<GatesApp> {
  let clock = 0
  const now = () => new Date(Date.now() + clock)
  const waits = createFakeWaits()
  const answers: string[] = []
  const made: { deps?: GateDeps; orgId?: string } = {}
  const actors = new Map<string, Actor>()
  const app = await openConfigApp({
    now,
    mount(router, { store, keys }) {
      const deps: GateDeps = {
        // The configuration has no maintenance of its own; the test store has.
        store: { ...store, maintenance: (work) => app.test.store.maintenance(work) },
        jobs: {
          enqueue(_tx, _queue, _data, { key: id = '' } = {}) {
            answers.push(id)
            return Promise.resolve()
          },
        },
        keys,
        emit: () => Promise.resolve(),
        openCodehost: () => Promise.resolve({ waits }),
        decisionUrl: (orgId, id) => `https://signalbox.example.com/${orgId}/gates/${id}`,
        now,
      }
      made.deps = deps
      mountGates(router, {
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
      mountDeploymentViews(router, { store, now, connectorOf: () => undefined })
    },
  })
  const { orgId } = app
  made.orgId = orgId
  const { deps } = made
  if (deps === undefined) throw new Error('Nothing was mounted')
  const staging = await app.addEnvironment('staging')
  const production = await app.addEnvironment('production')
  actors.set('m2m', buildKey(orgId, 'm2m'))
  actors.set('stagingKey', buildKey(orgId, 'm2m', { environmentIds: [staging] }))
  actors.set('readKey', buildKey(orgId, 'm2m', { access: 'read' }))
  await app.test.asOwner(
    `insert into repositories (org_id, id, external_id, full_name) values ($1, 'rep_1', '42', 'acme/shop'),
      ($1, 'rep_2', '43', 'acme/other')`,
    [orgId],
  )
  await app.test.asOwner(
    `insert into integrations (org_id, id, kind, provider, state) values ($1, 'int_1', 'codehost', 'github', 'connected')`,
    [orgId],
  )
  let added = 0
  return {
    app,
    deps,
    waits,
    staging,
    production,
    answers,
    now,
    passMs: (ms) => void (clock += ms),
    async addGate(rules, more = {}) {
      added += 1
      const gate = { name: `Gate ${added}`, repositories: [], mode: 'enforce' }
      const body = { ...gate, environmentIds: [production], rules, ...more }
      return (await app.ok('admin', 'POST /gates', { body })).body.id
    },
    async ask(body, as) {
      const claims = {
        provider: 'github',
        repositoryExternalId: '42',
        runId: '900',
        attempt: 1,
        sha: shaOf('a'),
        ref: 'refs/heads/main',
      }
      const token =
        typeof as === 'string'
          ? as
          : `oidc:${Buffer.from(JSON.stringify({ ...claims, ...as })).toString('base64url')}`
      const answer = await app.request(`/organizations/${orgId}/gate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ environment: 'production', ...body }),
      })
      const text = await answer.text()
      return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) }
    },
    tell: (wait = {}) =>
      recordWait(deps, {
        orgId,
        repository: {
          externalId: '42',
          fullName: 'acme/shop',
          defaultBranch: 'main',
          url: 'https://code.example/acme/shop',
        },
        wait: {
          runId: '900',
          attempt: 1,
          environment: 'production',
          sha: shaOf('a'),
          ref: 'main',
          deploymentId: '7001',
          isFork: false,
          url: 'https://code.example/acme/shop/runs/900',
          ...wait,
        },
      }),
    async work() {
      await judgeDecisions(deps)
      for (const id of new Set(answers.splice(0))) await answerHost(deps, { orgId, id })
    },
    async decisions() {
      return (await app.ok('m2m', 'GET /gate-decisions')).body.items
    },
    async addDeployment({ sha, environmentId, state = 'success', externalId, minutesAgo = 0 }) {
      added += 1
      const id = `dep_${String(added).padStart(26, '0')}`
      const at = new Date(now().getTime() - minutesAgo * 60_000)
      const isLive = state === 'success' || state === 'superseded'
      await app.test.asOwner(
        `insert into deployments (org_id, id, repository_id, external_id, sha, ref, ref_kind, host_environment, environment_id,
            state, reported_state, source, created_at, succeeded_at, finished_at)
          values ($1, $2, 'rep_1', $3, $4, 'main', 'branch', $5, $6, $7, $8, 'webhook', $9, $10, $10)`,
        [
          orgId,
          id,
          externalId ?? String(added),
          sha,
          environmentId === staging ? 'staging' : 'production',
          environmentId,
          state,
          isLive ? 'success' : state,
          at,
          isLive ? at : null,
        ],
      )
      return id
    },
    async addRun({ sha, state, name = 'e2e', contaminatedBy, testedSha }) {
      added += 1
      await app.test.asOwner(
        `insert into test_runs (org_id, id, environment_id, repository_id, name, state, deployed_sha, tested_sha, contaminated_by,
            created_at, finished_at)
          values ($1, $2, $3, 'rep_1', $4, $5, $6, $7, $8, $9, $9)`,
        [
          orgId,
          `run_${String(added).padStart(26, '0')}`,
          staging,
          name,
          state,
          sha,
          testedSha ?? sha,
          contaminatedBy ?? null,
          now(),
        ],
      )
    },
    async person(name, role) {
      const userId = await addMember(app, name, role)
      const actor = { ...app.person(name), userId, via: 'session', authenticatedAt: new Date() }
      app.setActor(name, actor as Actor, role)
      return userId
    },
    close: () => app.close(),
  }
}
