import { describe, expect, it } from 'vitest'
import { describeDisk, readDiskSpace } from './describe-disk.ts'

const mib = 1024 ** 2
const answers = { ok: true, detail: 'The database answers.' }

describe('the disk of the embedded database', () => {
  it.each([
    [100 * mib, 1_000 * mib, answers],
    [
      99 * mib,
      1_000 * mib,
      { ok: true, detail: expect.stringContaining('9% left, 99 MiB'), warning: true },
    ],
    [
      16 * mib,
      1_000 * mib,
      { ok: true, detail: expect.stringContaining('1% left'), warning: true },
    ],
    [16 * mib - 1, 1_000 * mib, { ok: false, detail: expect.stringContaining('is full') }],
    [0, 1_000 * mib, { ok: false, detail: expect.stringContaining('is full') }],
  ])('with %i of %i bytes free is described', (free, size, described) => {
    expect(describeDisk(answers, { free, size })).toEqual(described)
  })

  it('does not hide that the database is away', () => {
    const away = { ok: false, detail: 'The database does not answer.' }
    expect(describeDisk(away, { free: 0, size: 1 })).toEqual(away)
  })

  it('is read in bytes', async () => {
    const { free, size } = await readDiskSpace('.')
    expect(size).toBeGreaterThan(1_000 * mib)
    expect(free).toBeLessThanOrEqual(size)
  })
})
