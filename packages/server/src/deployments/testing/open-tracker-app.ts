import { Problem, type Role } from '@signalbox/contract'
import { buildKey } from '../../configs/testing/open-config-app.ts'
import { newId } from '../../crypto/ids.ts'
import type { Actor } from '../../http/admission/actor.ts'
import { createTestRouter } from '../../http/testing/test-router.ts'
import { openJira, type TestJira } from '../../integrations/testing/open-jira.ts'
import { readDeployment } from '../../read-models/deployments/read-deployment.ts'
import { moveTestRuns } from '../../test-runs/runs/run-rows.ts'
import { mountDeploymentViews } from '../../read-models/deployments/routes.ts'
import { mountDeployments } from '../routes.ts'
import { mountTracker } from '../issues/tracker-routes.ts'
import { toTestApp } from '../../http/testing/test-app.ts'

export interface TrackerAnswer {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any
}

export interface TrackerApp extends TestJira {
  /** Of `org_1`. */
  readonly production: string
  readonly staging: string
  /** Of which trackers the keys of deployments were to be read again. */
  readonly rereads: string[]
  /** The jobs that were added. */
  readonly added: { readonly queue: string; readonly data: object }[]
  /**
   * Calls below the organization of `as`: `admin`, `developer`, `viewer`, `key` and `stagingKey` of `org_1`, and
   * `stranger`, who administers `org_2`.
   */
  call(as: string, request: string, body?: unknown): Promise<TrackerAnswer>
  /** Connects with a grant that reaches two sites, as after an earlier consent of the same person. */
  connectTwoSites(orgId?: string): Promise<void>
}

/** The endpoints of the tracker and of deployments, before the pretended Jira and a real database. */
export async function openTrackerApp(): Promise<TrackerApp> {
  const jira = await openJira()
  const { test, deps, emitted, sandbox } = jira
  const [production, staging] = [newId('env', new Date()), newId('env', new Date())]
  await test.asOwner(
    `insert into environments (org_id, id, name) values ('org_1', $1, 'production'), ('org_1', $2, 'staging')`,
    [production, staging],
  )
  const rereads: string[] = []
  const added: TrackerApp['added'] = []
  const router = createTestRouter(openActors(staging))
  const emit = async (_tx: unknown, event: string) => void emitted.push(event)
  mountTracker(router, {
    store: test.store,
    connectorOf: deps.connectorOf,
    openTracker: jira.openNode(),
    emit,
    requestReread: async (_tx, { id }) => void rereads.push(id),
    jobs: {
      enqueue: async (_tx, queue, data) => void added.push({ queue, data }),
      enqueueAll: () => Promise.resolve(),
    },
    now: deps.now,
  })
  const deployments = { store: test.store, emit, now: deps.now, connectorOf: () => undefined }
  mountDeployments(router, { ...deployments, readDeployment, moveTestRuns })
  mountDeploymentViews(router, deployments)
  const server = toTestApp(router.build())
  return {
    ...jira,
    production,
    staging,
    rereads,
    added,
    async call(as, request, body) {
      const [method = '', path = ''] = request.split(' ')
      const org = as === 'stranger' ? 'org_2' : 'org_1'
      const answer = await server.request(`/organizations/${org}${path}`, {
        method,
        headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: await answer.json() }
    },
    async connectTwoSites(orgId) {
      sandbox.jira.offerSecondSite()
      await consentToSecondSite(jira)
      await jira.connect(orgId)
    },
    async reset() {
      rereads.length = 0
      added.length = 0
      await jira.reset()
      await test.asOwner(
        'delete from deployments; delete from issues; delete from syncs; delete from audit_events',
      )
    },
  }
}

function openActors(staging: string): Partial<Parameters<typeof createTestRouter>[0]> {
  const actors = new Map<string, { actor: Actor; orgId: string; role?: Role }>([
    ['admin', { actor: buildUser('admin'), orgId: 'org_1', role: 'admin' }],
    ['developer', { actor: buildUser('developer'), orgId: 'org_1', role: 'developer' }],
    ['viewer', { actor: buildUser('viewer'), orgId: 'org_1', role: 'viewer' }],
    ['key', { actor: buildKey('org_1', 'm2m'), orgId: 'org_1' }],
    [
      'stagingKey',
      { actor: buildKey('org_1', 'm2m', { environmentIds: [staging] }), orgId: 'org_1' },
    ],
    ['stranger', { actor: buildUser('stranger'), orgId: 'org_2', role: 'admin' }],
  ])
  return {
    authenticate: async ({ authorization }) => {
      const known = actors.get(authorization?.replace('Bearer ', '') ?? '')
      if (known === undefined) throw new Problem('invalid_credentials', 'Nobody is called so.')
      return known.actor
    },
    resolveOrganization: async (actor, ref) => {
      const known = [...actors.values()].find((one) => one.actor === actor)
      return known?.orgId === ref
        ? { organization: { id: ref, slug: ref, name: 'Acme' }, role: known.role }
        : undefined
    },
  }
}

function buildUser(name: string): Actor {
  return {
    type: 'user',
    userId: newId('usr', new Date()),
    name,
    email: `${name}@example.com`,
    via: 'token',
    credentialId: `pat_${name}`,
  }
}

async function consentToSecondSite({ sandbox }: TestJira): Promise<void> {
  const { jira, addresses } = sandbox
  const body = new URLSearchParams({
    audience: 'api.atlassian.com',
    client_id: jira.app.clientId,
    scope: 'read:jira-work offline_access',
    redirect_uri: jira.app.redirectUris[0] ?? '',
    state: 'earlier',
    response_type: 'code',
    prompt: 'consent',
    site: 'acme-labs',
    decision: 'allow',
  })
  const url = `${addresses.jiraAuth}/authorize`
  const { status } = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  if (status !== 302) throw new Error(`The consent was answered ${status}`)
}
