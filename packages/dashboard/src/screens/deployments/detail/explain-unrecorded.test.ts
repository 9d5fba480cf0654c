import { deploymentStates } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { explainUnrecorded } from './explain-unrecorded.ts'

describe('a deployment without its configuration', () => {
  it('is explained by its state, and by its environment only once it is live', () => {
    const explained = deploymentStates.map((state) => [
      state,
      explainUnrecorded({ state, environmentId: 'env_1' }),
    ])
    expect(Object.fromEntries(explained)).toEqual({
      waiting: 'Recorded when the deployment goes live.',
      queued: 'Recorded when the deployment goes live.',
      pending: 'Recorded when the deployment goes live.',
      in_progress: 'Recorded when the deployment goes live.',
      failure: 'Not recorded. The deployment didn’t go live.',
      error: 'Not recorded. The deployment didn’t go live.',
      success: 'Not recorded. This environment had no values at the time.',
      superseded: 'Not recorded. This environment had no values at the time.',
      rolled_back: 'Not recorded. This environment had no values at the time.',
    })
    expect(explainUnrecorded({ state: 'success', environmentId: null })).toBe(
      'Not recorded. No environment of Signalbox is mapped to this one.',
    )
  })
})
