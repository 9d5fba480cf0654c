import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { compareDealing } from '../testing/compare-dealing.ts'
import { dealingJudges } from '../testing/dealing-judges.ts'

const directory = mkdtempSync(join(tmpdir(), 'dealings-'))
afterAll(() => rmSync(directory, { recursive: true }))

const units = Array.from({ length: 10_000 * inject('scale') }, (_, index) => `user-${index * 7919}`)

describe('a share that was imported', () => {
  it.each(dealingJudges)('has the users that it has in $deal.as: 20,000 of them', async (judge) => {
    const { differ, inside } = await compareDealing(judge, units, directory)
    expect(differ).toEqual([])
    expect(inside).toBeGreaterThan(units.length / 5)
  })
})
