import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { checksSteps } from './testing/checks-steps.ts'
import { playChecks } from './testing/play-checks.ts'

const scale = inject('scale')

describe('any order of pushes, uploads, changes of values, schemas and environments, pull requests and deployments', () => {
  it(
    'ends, after a minute of quiet, with what is true beside the commits that are open',
    async () => {
      const runs = fc.asyncProperty(checksSteps, playChecks)
      await expect(
        fc.assert(runs, { numRuns: scale === 1 ? 8 : 500 * scale }),
      ).resolves.toBeUndefined()
    },
    scale === 1 ? 120_000 : 900_000 * scale,
  )
})
