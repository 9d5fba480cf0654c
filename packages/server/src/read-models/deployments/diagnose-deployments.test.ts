import { describe, expect, it } from 'vitest'
import { listChecks, type DiagnosisView } from './diagnose-deployments.ts'

const healthy: DiagnosisView = {
  isSetUp: true,
  codehost: { state: 'connected', lastError: null, provider: 'github' },
  trackedRepositories: 2,
  repositories: 3,
  lastEventAt: new Date(),
  lastDeploymentEventAt: new Date(),
  lastReportedAt: null,
  failedWebhooks: 0,
  failureReason: null,
  environments: 1,
  ignoredEnvironments: 0,
  lastSyncState: 'done',
  lastSyncDetail: null,
}

const problemsOf = (view: Partial<DiagnosisView>) =>
  listChecks({ ...healthy, ...view })
    .filter(({ state }) => state === 'problem')
    .map(({ code }) => code)

describe('why there are no deployments', () => {
  it.each([
    ['not_set_up', { isSetUp: false }],
    ['not_connected', { codehost: undefined }],
    [
      'needs_attention',
      { codehost: { state: 'reauth_required', lastError: null, provider: 'github' } },
    ],
    ['no_repositories', { repositories: 0, trackedRepositories: 0 }],
    ['no_repositories', { trackedRepositories: 0 }],
    ['no_events', { lastEventAt: null, lastDeploymentEventAt: null }],
    ['no_events', { lastDeploymentEventAt: null }],
    ['webhooks_failing', { failedWebhooks: 3, failureReason: 'no such repository' }],
    ['environments_ignored', { ignoredEnvironments: 1 }],
    ['sync_failed', { lastSyncState: 'failed' }],
  ] as const)('is said to be %s', (code, view) => {
    expect(problemsOf(view)).toEqual([code])
    const problem = listChecks({ ...healthy, ...view }).find(({ state }) => state === 'problem')
    expect(problem?.next?.href).toMatch(/^\//)
  })

  it('is nothing where everything is well', () => {
    expect(listChecks(healthy).every(({ state }) => state === 'ok')).toBe(true)
  })

  it('says of what comes after a missing connection that nobody can know', () => {
    const states = listChecks({ ...healthy, codehost: undefined }).map(({ state }) => state)
    expect(states).toEqual(['ok', 'problem', ...Array.from({ length: 6 }, () => 'unknown')])
  })
})
