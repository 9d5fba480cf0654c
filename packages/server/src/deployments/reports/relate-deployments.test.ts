import { describe, expect, it } from 'vitest'
import { relateDeployments, stateAfter } from './relate-deployments.ts'

const relate = (comparison: Parameters<typeof relateDeployments>[0]['comparison']) =>
  relateDeployments({ sha: 'b', previousSha: 'a', comparison })

describe('relateDeployments', () => {
  it('returns forward, rollback, hotfix or same for each outcome of the comparison', () => {
    expect(relate('ahead')).toBe('forward')
    expect(relate('behind')).toBe('rollback')
    expect(relate('diverged')).toBe('hotfix')
    expect(relate('identical')).toBe('same')
  })

  it('does not guess before the commits were compared', () => {
    expect(relate(undefined)).toBe('unknown')
  })

  it('needs no comparison for the first deployment, nor for the same commit', () => {
    const comparison = undefined
    expect(relateDeployments({ sha: 'a', previousSha: undefined, comparison })).toBe('first')
    expect(relateDeployments({ sha: 'a', previousSha: 'a', comparison })).toBe('same')
  })
})

describe('stateAfter', () => {
  it('is rolled back by a way back, and superseded by anything else', () => {
    expect(stateAfter('rollback')).toBe('rolled_back')
    for (const next of ['forward', 'hotfix', 'same', 'unknown', 'first'] as const) {
      expect(stateAfter(next)).toBe('superseded')
    }
  })
})
