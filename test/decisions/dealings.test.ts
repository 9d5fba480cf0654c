import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { compareDealing } from '../testing/compare-dealing.ts'
import { dealingJudges } from '../testing/dealing-judges.ts'

const directory = mkdtempSync(join(tmpdir(), 'dealings-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** `test/proof/dealings.proof.ts` asks about thousands. */
const units = Array.from({ length: 100 }, (_, index) => `user-${index * 7919}`)

describe('a share that was imported', () => {
  it.each(dealingJudges)('has the users that it has in $deal.as', async (judge) => {
    expect((await compareDealing(judge, units, directory)).differ).toEqual([])
  })
})
