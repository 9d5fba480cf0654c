import { describe, expect, it } from 'vitest'
import {
  describeIssueSync,
  describeSync,
  formatPart,
  toParts,
  type IssueSync,
  type Sync,
} from './describe-sync.ts'

const sync: Sync = {
  syncId: 'syn_1',
  state: 'running',
  repositories: { done: 2, total: 4 },
  webhooks: { done: 0, total: 0 },
  environments: { done: 3, total: null },
  deployments: { done: 120, total: null },
  missedWebhooks: 0,
  detail: null,
  startedAt: '2026-11-07T10:00:00Z',
  finishedAt: null,
}

describe('toParts', () => {
  it('says how far it is, and of how many where that is known', () => {
    expect(toParts(sync).map((part) => `${part.name} ${formatPart(part)}`)).toEqual([
      'Repositories 2 of 4',
      'Environments 3',
      'Deployments 120',
    ])
  })

  it('counts the webhooks of a provider that has one for each repository', () => {
    const parts = toParts({ ...sync, webhooks: { done: 2, total: 4 } })
    expect(parts.map((part) => `${part.name} ${formatPart(part)}`)[1]).toBe('Webhooks 2 of 4')
  })
})

describe('describeSync', () => {
  it('says what was found, and why it failed', () => {
    expect(describeSync({ ...sync, state: 'done' }, 'GitHub')).toBe(
      'Synced: checked 120 deployments, none was missing.',
    )
    expect(describeSync({ ...sync, state: 'done', missedWebhooks: 3 }, 'GitHub')).toContain(
      '3 of them',
    )
    expect(describeSync({ ...sync, state: 'failed', detail: 'It is gone.' }, 'GitHub')).toBe(
      'It is gone.',
    )
    expect(describeSync({ ...sync, state: 'failed' }, 'GitHub')).toBe('The sync failed.')
  })

  it('says for what it waits, and what it could not read', () => {
    expect(describeSync(sync, 'GitHub')).toBe('Syncing with GitHub.')
    expect(describeSync({ ...sync, detail: 'Waits until noon.' }, 'GitHub')).toBe(
      'Waits until noon.',
    )
    expect(
      describeSync({ ...sync, state: 'done', detail: 'Of shop nothing is shown.' }, 'GitHub'),
    ).toBe('Synced: checked 120 deployments, none was missing. Of shop nothing is shown.')
  })
})

describe('describeIssueSync', () => {
  const issueSync: IssueSync = {
    syncId: 'syn_1',
    state: 'done',
    issues: { done: 120, total: 120 },
    changedIssues: 3,
    detail: null,
    startedAt: '2026-11-07T10:00:00Z',
    finishedAt: '2026-11-07T10:00:05Z',
  }

  it('says what was read, and how much of it had changed', () => {
    expect(describeIssueSync(issueSync, 'Jira')).toBe('Synced: read 120 issues, 3 had changed.')
    const one = { ...issueSync, issues: { done: 1, total: 1 }, changedIssues: 0 }
    expect(describeIssueSync(one, 'Jira')).toBe('Synced: read 1 issue, none had changed.')
    const none = { ...one, issues: { done: 0, total: 0 } }
    expect(describeIssueSync(none, 'Jira')).toBe('Synced: no recent deployment names an issue.')
  })

  it('says that it goes on, for what it waits, and why it failed', () => {
    const running = { ...issueSync, state: 'running' } as const
    expect(describeIssueSync(running, 'Jira')).toBe('Reading issues from Jira.')
    expect(describeIssueSync({ ...running, detail: 'Waits until noon.' }, 'Jira')).toBe(
      'Waits until noon.',
    )
    expect(describeIssueSync({ ...running, state: 'failed' }, 'Jira')).toBe('The sync failed.')
  })
})
