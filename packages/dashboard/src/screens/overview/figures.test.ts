import { describe, expect, it } from 'vitest'
import {
  describeFigure,
  figureMeanings,
  toFigurePeriod,
  withoutPrevious,
  type ComparedFigures,
} from './figures.ts'

const hour = 3_600_000
const nothing: ComparedFigures['previous'] = {
  deployed: 0,
  deploymentsPerDay: 0,
  leadTime: { medianMs: null, p90Ms: null, deployments: 0 },
  changeFailure: { rate: null, failed: 0, deployments: 0 },
  restore: { medianMs: null, restored: 0, open: 0 },
}
const figures: ComparedFigures = {
  deployed: 17,
  deploymentsPerDay: 17 / 30,
  leadTime: { medianMs: 3 * hour, p90Ms: 27 * hour, deployments: 12 },
  changeFailure: { rate: 3 / 20, failed: 3, deployments: 20 },
  restore: { medianMs: 20_000, restored: 2, open: 1 },
  previous: nothing,
}

describe('withoutPrevious', () => {
  it('leaves every figure without the one before it', () => {
    const compared = { ...figures, previous: { ...figures, previous: undefined } }
    const item = { ...compared, repository: 'acme/shop', environmentId: 'env_1' }
    const all = { from: '', to: '', hasMore: false, items: [item], total: compared }
    // Control: with it there is one.
    expect(describeFigure('failRate', compared).former).toBe('15%')
    const { total, items } = withoutPrevious(all)
    for (const of of [total, ...items])
      for (const { name } of figureMeanings)
        expect(describeFigure(name, of)).toEqual({
          ...describeFigure(name, compared),
          former: undefined,
        })
  })
})

describe('describeFigure', () => {
  it('says each figure with what it stands on', () => {
    expect(describeFigure('frequency', figures)).toMatchObject({
      value: '0.57',
      basis: '17 went live',
    })
    expect(describeFigure('leadTime', figures)).toMatchObject({
      value: '3 h',
      more: 'p90 1 d 3 h',
      basis: '12 with commit data',
    })
    expect(describeFigure('failRate', figures)).toMatchObject({
      value: '15%',
      basis: '3 of 20 failed or were undone',
      former: undefined,
    })
    expect(describeFigure('restore', figures)).toMatchObject({
      value: 'under a minute',
      basis: '2 restored, 1 still open',
    })
  })

  it('shows a dash where there is nothing to count, and the value of the period before', () => {
    const empty = { ...nothing, previous: figures }
    expect(describeFigure('failRate', empty)).toMatchObject({ value: '–', former: '15%' })
    expect(describeFigure('frequency', empty)).toMatchObject({ value: '–', former: '0.57' })
  })
})

describe('toFigurePeriod', () => {
  it('begins at midnight of the first day, today included', () => {
    const { firstDay, query } = toFigurePeriod(7, new Date(2026, 10, 25, 15, 30))
    expect(firstDay).toBe('2026-11-19')
    expect(query.from).toBe(new Date(2026, 10, 19).toISOString())
  })
})
