import { describe, expect, it } from 'vitest'
import { explainRun } from './explain-run.ts'

const mends = {
  suspended: 'connect',
  forbidden: 'connect',
  integration_not_connected: 'connect',
  reauth_required: 'connect',
  renewal_refused: 'connect',
  not_found: 'choose',
  no_dispatch_trigger: 'choose',
  workflow_disabled: 'choose',
} as const

describe('a test run that did not start', () => {
  it.each(Object.entries(mends))(
    'says of %s what has to be mended before it is run again',
    (code, mend) => {
      for (const state of ['errored', 'planned'] as const) {
        const told = explainRun({ state, stateReason: code })
        expect(told.mend).toBe(mend)
        expect(told.nextStep).toMatch(/\w\.$/)
        expect(told.detail).not.toContain(`(${code})`)
      }
    },
  )

  it.each(['ref_not_found', 'input_required', 'not_started', 'dispatch_ambiguous', 'http_502'])(
    'says of %s what to do, and has nothing to mend first',
    (code) => {
      const told = explainRun({ state: 'errored', stateReason: code })
      expect(told.mend).toBeNull()
      expect(told.nextStep).toMatch(/\w\.$/)
    },
  )

  it('asks for nothing where nothing is wrong, or where it goes on by itself', () => {
    const states = [
      { state: 'skipped', stateReason: 'newer_deployment' },
      { state: 'skipped', stateReason: 'recorded_by_pipeline' },
      { state: 'dispatching', stateReason: 'forbidden' },
      { state: 'running', stateReason: null },
      { state: 'planned', stateReason: null },
    ] as const
    for (const of of states) expect(explainRun(of)).toMatchObject({ nextStep: null, mend: null })
  })

  it('says what to do where it ended badly without a reason', () => {
    for (const state of ['failed', 'errored', 'timed_out', 'cancelled'] as const) {
      expect(explainRun({ state, stateReason: null }).nextStep).not.toBeNull()
    }
  })
})
