import type { CodehostRun } from '../../providers/codehost.ts'

/** A run of the code host that has just been completed. */
export function buildHostRun(overrides: Partial<CodehostRun> = {}): CodehostRun {
  return {
    externalId: '9001',
    workflowId: '55',
    attempt: 1,
    event: 'workflow_dispatch',
    status: 'completed',
    conclusion: 'success',
    headSha: 'a'.repeat(40),
    headBranch: 'main',
    title: 'e2e',
    isByApp: true,
    url: 'https://github.com/acme/shop/actions/runs/9001',
    startedAt: new Date('2026-01-01T12:01:00.000Z'),
    updatedAt: new Date('2026-01-01T12:05:00.000Z'),
    ...overrides,
  }
}
