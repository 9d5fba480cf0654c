import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { gatesStep } from './testing/gates-steps.ts'
import { playGates } from './testing/play-gates.ts'

const scale = inject('scale')

describe('any order of runs that wait, steps that ask, tests, freezes, approvals, restarts, and ends of the process', () => {
  it(
    'ends with the decision of the rules, and with one answer for each attempt that the code host holds',
    async () => {
      const orders = fc.array(gatesStep, { minLength: 10, maxLength: 40 })
      const runs = fc.asyncProperty(orders, playGates)
      await expect(
        fc.assert(runs, { numRuns: scale === 1 ? 12 : 500 * scale }),
      ).resolves.toBeUndefined()
    },
    120_000 * scale,
  )
})
