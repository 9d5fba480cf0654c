import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'
import { playProofs, worldTime } from './testing/play-proofs.ts'
import { step } from './testing/proof-steps.ts'

let opened: ConfigApp
beforeAll(async () => {
  opened = await openConfigApp({ now: worldTime })
})
afterAll(() => opened.close())

const scale = inject('scale')

describe('any order of saves, readings, tests, deployments, decisions, jumps of the clock and ends of the process', () => {
  it(
    'takes back what failed as the rules say, and nothing else',
    async () => {
      const orders = fc.array(step, { minLength: 8, maxLength: 24 })
      const runs = fc.asyncProperty(orders, (steps) => playProofs(opened, steps))
      await expect(
        fc.assert(runs, { numRuns: scale === 1 ? 8 : 200 * scale }),
      ).resolves.toBeUndefined()
    },
    120_000 * scale,
  )
})
