import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { reportedStates, type ReportedState } from '../../providers/codehosts/deployment.ts'
import {
  mergeStatus,
  parseStatusNumber,
  toDeploymentState,
  type ReportedStatus,
} from './merge-status.ts'

const states = reportedStates.filter((state) => state !== 'unknown')
const status = (state: ReportedState, number: bigint): ReportedStatus => ({ state, number })

type Merge = (current: ReportedStatus | undefined, report: ReportedStatus) => ReportedStatus

const guarded: Merge = (current, report) => {
  const merged = mergeStatus(current, report)
  return merged.outcome === 'applied' ? merged.status : (current ?? report)
}
const lastWriteWins: Merge = (_, report) => report

/** Distinct numbers beyond 2^53, in order, with a state each. */
const reports = fc
  .array(fc.constantFrom(...states), { minLength: 2, maxLength: 8 })
  .map((all) => all.map((state, at) => status(state, 2n ** 60n + BigInt(at))))

/** The same reports in any order, some of them twice. */
const arrivals = reports.chain((all) =>
  fc
    .tuple(fc.shuffledSubarray(all, { minLength: all.length }), fc.subarray(all))
    .chain(([once, again]) =>
      fc
        .shuffledSubarray([...once, ...again], { minLength: once.length + again.length })
        .map((arriving) => ({ all, arriving })),
    ),
)

const histories = 5_000 * inject('scale')

function countWrong(merge: Merge): number {
  let wrong = 0
  fc.assert(
    fc.property(arrivals, ({ all, arriving }) => {
      const end = arriving.reduce<ReportedStatus | undefined>(merge, undefined)
      if (end?.number !== all.at(-1)?.number) wrong += 1
    }),
    { numRuns: histories, seed: 20_261_121 },
  )
  return wrong
}

describe('mergeStatus', () => {
  it(`ends at the same status in ${histories} shuffled and repeated histories`, () => {
    expect(countWrong(guarded)).toBe(0)
  })

  it('control: the last to arrive wins, and most histories end wrong', () => {
    expect(countWrong(lastWriteWins)).toBeGreaterThan(histories / 2)
  })

  it('tells an older report from a repeated one', () => {
    const current = status('success', 7n)
    expect(mergeStatus(current, status('queued', 6n))).toEqual({ outcome: 'stale' })
    expect(mergeStatus(current, status('success', 7n))).toEqual({ outcome: 'duplicate' })
  })

  it('tells numbers apart that are the same as JavaScript numbers', () => {
    const [low, high] = ['9007199254740992', '9007199254740993'].map((text) =>
      parseStatusNumber(text),
    )
    expect(Number(low)).toBe(Number(high))
    expect(mergeStatus(status('queued', low ?? 0n), status('success', high ?? 0n)).outcome).toBe(
      'applied',
    )
  })

  it('changes nothing by a state that it does not know, and says so', () => {
    expect(mergeStatus(undefined, status('unknown', 9n))).toMatchObject({ outcome: 'ignored' })
  })
})

describe('parseStatusNumber', () => {
  it('reads digits of up to twenty places and nothing else', () => {
    expect(parseStatusNumber('99999999999999999999')).toBe(99_999_999_999_999_999_999n)
    for (const text of ['', '-1', '1e3', '0x1', ' 1', '1.0', '1'.repeat(21)]) {
      expect(parseStatusNumber(text)).toBeUndefined()
    }
  })
})

describe('toDeploymentState', () => {
  it('shows an inactive deployment as superseded, and the others as they are', () => {
    expect(toDeploymentState('inactive')).toBe('superseded')
    expect(toDeploymentState('in_progress')).toBe('in_progress')
  })
})
