import { newId } from '../../crypto/ids.ts'
import type {
  CodehostDeployment,
  CodehostStatus,
  ReportedState,
} from '../../providers/codehosts/deployment.ts'
import type { CodehostEvent } from '../../providers/codehosts/event.ts'
import type { CodehostRepository } from '../../providers/codehosts/repository.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { moveTestRuns } from '../../test-runs/runs/run-rows.ts'
import type { HostDeploymentDeps } from '../deployment-deps.ts'

export interface EmittedEvent {
  readonly event: string
  readonly id: string
}

export interface TestDeployments {
  readonly test: TestStore
  readonly deps: HostDeploymentDeps
  /** Holds every event that was emitted, committed or not. */
  readonly emitted: EmittedEvent[]
  /** Makes an organization with the environments production and staging, and what it has chosen. */
  addOrganization(settings?: {
    readonly codehost?: object
    readonly tracker?: object
  }): Promise<TestOrganization>
  close(): Promise<void>
}

export interface TestOrganization {
  readonly orgId: string
  readonly production: string
  readonly staging: string
}

/** The rows and use cases of deployments on a real database. */
export async function openDeployments(): Promise<TestDeployments> {
  const test = await openTestStore()
  const emitted: EmittedEvent[] = []
  const now = () => new Date()
  return {
    test,
    emitted,
    deps: {
      store: test.store,
      now,
      moveTestRuns,
      emit: (_tx, event, { id }) => {
        emitted.push({ event, id })
        return Promise.resolve()
      },
    },
    async addOrganization({ codehost = {}, tracker = { projectKeys: ['ABC', 'WEB'] } } = {}) {
      const orgId = newId('org', now())
      const [production, staging] = [newId('env', now()), newId('env', now())]
      await test.asOwner(
        `with o as (insert into organizations (id, slug, name) values ($1, lower($1), $1)),
          e as (insert into environments (org_id, id, name) values ($1, $2, 'production'), ($1, $3, 'staging'))
        insert into integrations (org_id, id, kind, provider, state, account_id, settings) values
          ($1, $4, 'codehost', 'github', 'connected', $1, $5), ($1, $6, 'tracker', 'jira', 'connected', $1, $7)`,
        [
          orgId,
          production,
          staging,
          newId('int', now()),
          JSON.stringify(codehost),
          newId('int', now()),
          JSON.stringify(tracker),
        ],
      )
      return { orgId, production, staging }
    },
    close: () => test.close(),
  }
}

export const shop: CodehostRepository = {
  externalId: '1296269',
  fullName: 'acme/shop',
  defaultBranch: 'main',
  url: 'https://github.com/acme/shop',
}

/** A moment of the day of the tests, in seconds. */
export const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21, 6) + seconds * 1000)

export function buildDeployment(
  number: number,
  overrides: Partial<CodehostDeployment> = {},
): CodehostDeployment {
  return {
    externalId: String(1000 + number),
    sha: number.toString(16).padStart(40, 'a'),
    ref: 'main',
    task: 'deploy',
    environment: 'production',
    description: null,
    creator: { name: 'The Octocat', login: 'octocat' },
    payloadText: '',
    isTransient: false,
    createdAt: at(number),
    headBranch: null,
    headCommitMessage: null,
    workflowId: null,
    run: null,
    ...overrides,
  }
}

/** Beyond the integers of JavaScript, as the numbers of a provider may be. */
const statusNumber = (number: number) => String(2n ** 60n + BigInt(number))

export function buildStatus(
  number: number,
  state: ReportedState,
  overrides: Partial<CodehostStatus> = {},
): CodehostStatus {
  return {
    externalId: statusNumber(number),
    state,
    environment: null,
    description: null,
    environmentUrl: null,
    logUrl: null,
    at: at(number),
    ...overrides,
  }
}

export function created(deployment: CodehostDeployment, repository = shop): CodehostEvent {
  return { type: 'deployment', repository, deployment }
}

export function reported(
  deployment: CodehostDeployment,
  status: CodehostStatus,
  repository = shop,
): CodehostEvent {
  return { type: 'deploymentStatus', repository, deployment, status }
}
