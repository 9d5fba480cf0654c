import { change, deploymentEndpoints } from '@signalbox/contract/rest'
import { describe, expect, it } from 'vitest'
import { presentChange } from '../../overview/present-change.ts'
import { readArchivedChange } from '../overview/archived-change-rows.ts'
import { readArchivedPage } from './archived-page.ts'

const archivedAt = new Date('2026-11-27T00:00:00Z')
const at = '2026-01-01T00:00:00.000Z'
const run = {
  runId: 'run_00000000000000000000000001',
  state: 'failed',
  passed: 5,
  failed: 1,
} as const
const person = { name: 'The Octocat', login: 'octocat' }

// Databases hold pages of these shapes, so never change them. A release that adds a field to an answer fills it in where it reads
// such a page (`addedSince`).
const firstPage = {
  id: 'dep_00000000000000000000000001',
  externalId: '1',
  repository: 'acme/shop',
  sha: 'a1',
  ref: 'main',
  refKind: 'branch',
  hostEnvironment: 'live',
  environmentId: 'env_00000000000000000000000001',
  state: 'failure',
  description: null,
  creator: person,
  url: null,
  logUrl: null,
  commitMessage: 'm',
  relation: 'forward',
  issueKeys: ['PAY-7'],
  testState: 'failed',
  tests: { ...run, flaky: 0, contaminated: false },
  messageState: 'live',
  committedAt: at,
  createdAt: at,
  startedAt: at,
  finishedAt: at,
  range: { base: 'a0', head: 'a1', status: 'ahead', total: 1, truncated: false },
  commits: [{ sha: 'a1', message: 'm', author: person, at, url: null }],
  issues: [
    {
      key: 'PAY-7',
      formerKey: null,
      state: 'linked',
      reason: null,
      title: 't',
      type: 'Bug',
      status: 'Done',
      statusCategory: 'done',
      assignee: 'Ada',
      priority: 'High',
      url: 'https://tracker.example/PAY-7',
      evidence: [{ source: 'commit', sha: 'a1', text: 'm', isRevert: false }],
    },
  ],
  testRuns: [
    {
      id: 'run_00000000000000000000000001',
      deploymentId: 'dep_00000000000000000000000001',
      environmentId: 'env_00000000000000000000000001',
      name: 'e2e',
      externalId: '5',
      url: null,
      attempt: 1,
      state: 'failed',
      stateReason: null,
      passed: 5,
      failed: 1,
      skipped: 0,
      flaky: 0,
      durationMs: 100,
      deployedSha: 'a1',
      testedSha: 'a1',
      contaminatedBy: null,
      createdAt: at,
      startedAt: at,
      finishedAt: at,
      doubtfulTests: [],
      warnings: [],
    },
  ],
  messages: [
    {
      id: 'ntf_00000000000000000000000001',
      routeId: '',
      channelName: 'deploys',
      state: 'live',
      reason: null,
      detail: null,
      nextStep: null,
      canSendAgain: false,
      url: 'https://chat.example/m',
      edits: 1,
      updatedAt: at,
    },
  ],
  previous: { id: 'dep_00000000000000000000000000', sha: 'a0' },
  older: null,
  newer: null,
  compareUrl: null,
  codehostRepositoryId: '7',
  madeBy: { id: '1', name: 'deploy' },
  deployWorkflow: null,
  canRunWorkflows: false,
  configVersions: [
    {
      schemaId: 'sch_00000000000000000000000001',
      schema: 'web',
      version: 3,
      versionId: null,
      previousVersion: null,
      previousVersionId: null,
      changedKeys: [],
    },
  ],
  timeline: [
    {
      at,
      kind: 'created',
      state: 'done',
      title: 'Created for live',
      detail: null,
      url: null,
      nextStep: null,
      actions: [],
      subjectId: null,
    },
  ],
} satisfies Parameters<typeof readArchivedPage>[0]['page']

const target = {
  id: 'dep_00000000000000000000000001',
  sha: 'a1',
  ref: 'main',
  repository: 'acme/shop',
}
const deployment = {
  repositoryId: 'repo_1',
  target,
  state: 'failure',
  message: 'm',
  creator: person,
  issueKeys: ['PAY-7'],
  proof: run,
  testRuns: 1,
} as const
const testRun = { repositoryId: 'repo_1', name: 'e2e', proof: run, target }
const version = {
  versionKind: 'write',
  schemaId: 'sch_00000000000000000000000001',
  schema: 'web',
  version: 3,
  author: { type: 'user', id: 'usr_00000000000000000000000001', name: 'Ada' },
  comment: null,
  changes: [{ key: 'beta', tier: 'featureFlags', change: 'changed', before: false, after: true }],
  changesTotal: 1,
  isFlip: true,
} as const

describe('what the first release with an archive has stored', () => {
  it('is a whole answer of the API, however many fields that has since', () => {
    const page = readArchivedPage({
      page: firstPage,
      environmentId: null,
      older: { id: 'dep_00000000000000000000000000', sha: 'a0' },
      archivedAt,
    })
    expect(deploymentEndpoints.getDeployment.response.body.parse(page)).toEqual(page)
    expect(page).toMatchObject({ environmentId: null, archivedAt: archivedAt.toISOString() })
  })

  it('is a change of the timeline that nothing takes back', () => {
    const columns = {
      id: 'dep_00000000000000000000000001',
      at: archivedAt,
      micros: 1,
      environmentId: null,
      archivedAt,
    }
    const none = { deployment: null, testRun: null, version: null }
    const stored = [{ deployment }, { testRun }, { version }]
    const changes = stored.flatMap((content) =>
      readArchivedChange({ ...columns, ...none, ...content }).map(presentChange),
    )
    expect(changes).toHaveLength(3)
    for (const each of changes) expect(change.parse(each)).toMatchObject({ wayBack: null })
  })
})
