import type { CodehostRun } from '../../providers/codehosts/run.ts'

/** Returns a run of the code host that has just passed. */
export function buildHostRun(overrides: Partial<CodehostRun> = {}): CodehostRun {
  return {
    externalId: '9001',
    workflowId: '55',
    attempt: 1,
    state: 'passed',
    correlation: null,
    isRequested: true,
    headSha: 'a'.repeat(40),
    headBranch: 'main',
    isByApp: true,
    url: 'https://code.example.com/acme/shop/runs/9001',
    startedAt: new Date('2026-01-01T12:01:00.000Z'),
    updatedAt: new Date('2026-01-01T12:05:00.000Z'),
    ...overrides,
  }
}
