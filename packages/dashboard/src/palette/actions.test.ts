import { describe, expect, it } from 'vitest'
import { toActions } from './actions.ts'

const labels = (of: Partial<Parameters<typeof toActions>[0]> = {}) =>
  toActions({
    slug: 'acme',
    params: { org_id: 'org_1' },
    can: () => true,
    go: () => undefined,
    canSync: true,
    canRunWorkflows: true,
    ...of,
  }).map(({ label }) => label)

describe('toActions', () => {
  it('offers a sync only where a code host is connected', () => {
    expect(labels()).toContain('Sync now')
    expect(labels({ canSync: false })).not.toContain('Sync now')
  })

  it('offers no more than the role and the provider allow', () => {
    expect(labels({ canRunWorkflows: false })).not.toContain('Run workflow')
    const ofViewer = labels({ can: () => false })
    expect(ofViewer).toContain('Keyboard shortcuts')
    expect(ofViewer.join()).not.toMatch(/Sync now|Run workflow|Invite|Create/)
  })
})
