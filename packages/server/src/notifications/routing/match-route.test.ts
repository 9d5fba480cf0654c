import { describe, expect, it } from 'vitest'
import { matchesGlob, matchesRoute, previewRoute, type RouteMatch } from './match-route.ts'
import type { MatchedDeployment } from '../../read-models/notifications/deployment-view.ts'

const everything: RouteMatch = {
  environmentIds: null,
  repositories: null,
  branches: null,
  states: 'always',
}
const success: MatchedDeployment = {
  environmentId: 'env_1',
  repository: 'acme/shop',
  ref: 'main',
  refKind: 'branch',
  state: 'success',
  testRuns: [],
  previousOutcome: 'success',
}
const matches = (match: Partial<RouteMatch>, of: Partial<MatchedDeployment> = {}) =>
  matchesRoute({ ...everything, ...match }, { ...success, ...of })

describe('a route', () => {
  it('takes everything unless it says otherwise', () => {
    expect(matches({})).toBe(true)
    expect(matches({}, { environmentId: null, refKind: 'tag' })).toBe(true)
  })

  it('takes only its environments and branches', () => {
    expect(matches({ environmentIds: ['env_1'] })).toBe(true)
    expect(matches({ environmentIds: ['env_2'] })).toBe(false)
    expect(matches({ environmentIds: ['env_1'] }, { environmentId: null })).toBe(false)
    expect(matches({ branches: ['release/*', 'main'] })).toBe(true)
    expect(matches({ branches: ['release/*'] })).toBe(false)
    expect(matches({ branches: ['main'] }, { refKind: 'tag' })).toBe(false)
  })

  it('takes only its repositories, by their full names in any case', () => {
    expect(matches({ repositories: ['acme/web', 'Acme/Shop'] })).toBe(true)
    expect(matches({ repositories: ['acme/web'] })).toBe(false)
    expect(matches({ repositories: ['acme/*'] }, { repository: 'ACME/api' })).toBe(true)
    expect(matches({ repositories: ['*'] })).toBe(false)
    expect(matches({ repositories: ['shop'] })).toBe(false)
  })

  it('of failures takes each of them, those of tests included, and the recovery', () => {
    const states = 'failures'
    expect(matches({ states })).toBe(false)
    expect(matches({ states }, { state: 'error', previousOutcome: 'failure' })).toBe(true)
    expect(matches({ states }, { testRuns: [{ state: 'failed' }] })).toBe(true)
    expect(matches({ states }, { previousOutcome: 'failure' })).toBe(true)
    expect(matches({ states }, { state: 'in_progress', previousOutcome: 'failure' })).toBe(false)
  })

  it('of changes takes only what is another outcome than before', () => {
    const states = 'changes'
    expect(matches({ states })).toBe(false)
    expect(matches({ states }, { state: 'failure' })).toBe(true)
    expect(matches({ states }, { state: 'failure', previousOutcome: 'failure' })).toBe(false)
    expect(matches({ states }, { previousOutcome: 'failure' })).toBe(true)
    expect(matches({ states }, { state: 'failure', previousOutcome: null })).toBe(true)
  })
})

describe('a glob', () => {
  it.each([
    ['main', 'main', true],
    ['main', 'mainline', false],
    ['release/*', 'release/1.2', true],
    ['release/*', 'release/1/2', false],
    ['release/**', 'release/1/2', true],
    ['v?', 'v1', true],
    ['*', '', true],
    ['a.c', 'abc', false],
  ])('%s fits %s: %s', (glob, name, expected) => {
    expect(matchesGlob(glob, name)).toBe(expected)
  })

  it('of many stars takes no longer than its length asks for', () => {
    expect(matchesGlob(`${'*a'.repeat(120)}b`, 'a'.repeat(255))).toBe(false)
  })
})

describe('the preview of a route', () => {
  const past = (id: number, state: MatchedDeployment['state'], hostEnvironment = 'live') => ({
    ...success,
    id,
    state,
    testState: null,
    repository: 'acme/shop',
    hostEnvironment,
  })
  // Newest first.
  const deployments = [
    past(5, 'success'),
    past(4, 'success', 'preview'),
    past(3, 'failure', 'Live'),
    past(2, 'failure'),
    past(1, 'success'),
  ]

  it('knows recoveries by what went before in the same place', () => {
    const told = (states: RouteMatch['states']) =>
      previewRoute({ ...everything, states }, deployments).map(({ id }) => id)
    expect(told('always')).toEqual([5, 4, 3, 2, 1])
    expect(told('failures')).toEqual([5, 3, 2])
    expect(told('changes')).toEqual([5, 2])
  })
})
