import { describe, expect, it } from 'vitest'
import { describeFailure, describeWatch, describeWatches } from './describe-terms.ts'

const names = new Map([
  ['sig_1', 'api-errors'],
  ['sig_2', 'e2e'],
])
const nameOf = (id: string) => names.get(id) ?? id
const terms = {
  signals: ['sig_1'],
  minutes: 15,
  failures: '3 of 5',
  noData: 'hold',
  onFailure: 'restore',
} as const

const env = (name: string, prove: Parameters<typeof describeWatch>[0] | null) => ({
  name,
  protection: { prove },
})
const policy = { ...terms, signals: ['sig_1'] }

describe('how a change is watched', () => {
  it('is one sentence with its signals, and one with what follows', () => {
    expect(describeWatch(policy, nameOf)).toBe(
      'Watched for 15 min by api-errors. If it fails, Signalbox takes the change back.',
    )
    const other = { ...policy, signals: ['sig_1', 'sig_2'], minutes: 90 }
    expect(describeWatch({ ...other, onFailure: 'tell' }, nameOf)).toBe(
      'Watched for 1 h 30 min by api-errors and e2e. If it fails, Signalbox only tells you.',
    )
  })

  it('names the environments where it is not the same in all', () => {
    expect(describeWatches([env('production', policy)], null, nameOf)).toEqual([
      describeWatch(policy, nameOf),
    ])
    expect(describeWatches([env('production', policy), env('eu', null)], null, nameOf)).toEqual([
      `In production: w${describeWatch(policy, nameOf).slice(1)}`,
    ])
    expect(describeWatches([env('dev', null)], null, nameOf)).toEqual([])
  })

  it('is the stricter of what the environment asks for and the change itself', () => {
    const own = { ...policy, signals: ['sig_2'], minutes: 5 }
    expect(describeWatches([env('production', policy)], own, nameOf)).toEqual([
      expect.stringContaining('for 15 min by api-errors and e2e.'),
    ])
  })
})

it('the failure is said in numbers, and in words where one reading is enough', () => {
  expect(describeFailure({ failures: '3 of 5' })).toContain('3 of the last 5 readings')
  expect(describeFailure({ failures: '1 of 5' })).toContain('one reading of a signal is bad')
})
