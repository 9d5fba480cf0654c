import { describe, expect, it } from 'vitest'
import { describeProof, nameProof } from './describe-proof.ts'

const now = Date.parse('2026-11-30T12:00:00.000Z')
const inSeconds = (seconds: number) => new Date(now + seconds * 1000).toISOString()

const errors = {
  id: 'sig_1',
  name: 'api-errors',
  kind: 'alert' as const,
  good: 1,
  bad: 0,
  none: 0,
  testRunId: null,
}

const watching = {
  state: 'watching' as const,
  until: inSeconds(11 * 60 + 1),
  waitsFor: null,
  signals: [errors],
  reason: null,
  restoredVersions: [],
  notRestored: null,
  stoppedBy: null,
}
const bad = { code: 'signal' as const, signal: 'sig_1', detail: 'api-errors was 4.2, above 2' }
const restored = {
  environmentId: 'env_1',
  environment: 'production',
  versionId: 'ver_13',
  version: 13,
  keys: ['newCheckout'],
}
const touched = {
  code: 'touched' as const,
  keys: ['limit'],
  detail: 'Somebody has changed the key since.',
}

const sentence = (change: Partial<Parameters<typeof describeProof>[0]>) =>
  describeProof({ ...watching, ...change }, now).sentence

describe('a change that is watched', () => {
  it('says how long it is still unproven, in whole minutes that never run out early', () => {
    expect(sentence({})).toBe('Unproven, 12 min left')
    expect(sentence({ until: inSeconds(1) })).toBe('Unproven, 1 min left')
    expect(sentence({ until: inSeconds(3 * 3600) })).toBe('Unproven, 3 h left')
  })

  it('counts no time while a later one is watched, and says so when only its tests are missing', () => {
    expect(sentence({ waitsFor: 'prf_2' })).toBe('Unproven, waits for a later change')
    expect(sentence({ until: inSeconds(0) })).toBe('Unproven, ends in a moment')
    expect(sentence({ until: inSeconds(-5), signals: [{ ...errors, kind: 'tests' }] })).toBe(
      'Unproven, waits for its tests',
    )
  })
})

describe('a proof that has ended', () => {
  it('says why the change was taken back, and what of it was not', () => {
    const failed = { state: 'failed' as const, reason: bad, restoredVersions: [restored] }
    expect(sentence(failed)).toBe('Restored because api-errors was 4.2, above 2')
    expect(sentence({ ...failed, notRestored: touched })).toBe(
      'Restored because api-errors was 4.2, above 2, but not limit: somebody has changed the key since',
    )
    expect(sentence({ ...failed, restoredVersions: [], notRestored: touched })).toBe(
      'Failed, not restored: somebody has changed the key since',
    )
  })

  it('that ends with that of another environment says so, and a name of a signal stays', () => {
    const reason = { code: 'origin' as const, signal: null, detail: 'The change was taken back: x' }
    const restoredVersions = [restored]
    expect(sentence({ state: 'failed', reason, restoredVersions })).toBe(reason.detail)
    const named = { ...bad, detail: 'Shop errors was 4.2, above 2' }
    expect(sentence({ state: 'failed', reason: named, restoredVersions })).toContain('Shop errors')
  })

  it('says what it lacked, or who ended it', () => {
    const noData = { code: 'no_data' as const, signal: 'sig_1', detail: 'No data from api-errors' }
    expect(sentence({ state: 'inconclusive', reason: noData })).toBe(
      'Not proven: no data from api-errors',
    )
    expect(sentence({ state: 'proven' })).toBe('Proven')
    expect(sentence({ state: 'proven', stoppedBy: { name: 'Ada', as: 'proven' } })).toBe(
      'Proven, as Ada said',
    )
    expect(sentence({ state: 'stopped', stoppedBy: { name: 'Ada', as: 'tell' } })).toBe(
      'Stopped by Ada, without a result',
    )
  })
})

it('the badge on the timeline says what a proof waits for, and what of the change was taken back', () => {
  const ended = { until: inSeconds(-5), waitsFor: null, hasTests: false }
  const named = (change: Partial<Parameters<typeof nameProof>[0]>) =>
    nameProof({ state: 'watching', isRestored: false, isPartial: false, ...ended, ...change }, now)
      .word
  expect(named({ waitsFor: 'prf_2' })).toBe('Unproven, waits for a later change')
  expect(named({ hasTests: true })).toBe('Unproven, waits for its tests')
  expect(named({})).toBe('Unproven, ends in a moment')
  expect(named({ state: 'failed' })).toBe('Failed, not restored')
  expect(named({ state: 'failed', isRestored: true })).toBe('Restored')
  expect(named({ state: 'failed', isRestored: true, isPartial: true })).toBe('Partly restored')
})
