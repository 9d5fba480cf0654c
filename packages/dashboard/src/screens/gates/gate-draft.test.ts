import { describe, expect, it } from 'vitest'
import { addRule, freshGate, isComplete, startRule, toBody, toDraft } from './gate-draft.ts'

const defaults = { environmentId: 'env_staging', zone: 'Europe/Berlin' }
const whole = addRule(
  { ...freshGate, name: ' Production ', environmentIds: ['env_production'] },
  startRule('tests', defaults),
)

describe('the form of a gate', () => {
  it('sends what a saved gate says, unchanged', () => {
    const body = toBody(whole)
    expect(body).toEqual({
      name: 'Production',
      environmentIds: ['env_production'],
      repositories: [],
      mode: 'enforce',
      rules: [{ rule: 'tests', environmentId: 'env_staging', withinHours: 24 }],
    })
    const times = { createdAt: '', updatedAt: '' }
    expect(toBody(toDraft({ id: 'gat_1', revision: 1, ...times, ...body }))).toEqual(body)
  })

  it('is complete with an environment, a rule, and a day in each window', () => {
    expect(isComplete(whole)).toBe(true)
    expect(isComplete(freshGate)).toBe(false)
    expect(isComplete({ ...whole, environmentIds: [] })).toBe(false)
    expect(isComplete({ ...whole, rules: [] })).toBe(false)
    // No repository is chosen yet, which is not the same as all of them.
    expect(isComplete({ ...whole, repositories: [] })).toBe(false)
    const freeze = startRule('freeze', defaults)
    expect(isComplete(addRule(whole, freeze))).toBe(true)
    const windows = [{ days: [], from: '15:00', to: '23:59', zone: 'UTC' }]
    expect(isComplete(addRule(whole, { rule: 'freeze', windows, exceptHotfix: true }))).toBe(false)
  })

  it('numbers a rule like no other one', () => {
    const two = addRule(whole, startRule('quiet', defaults))
    const left = { ...two, rules: two.rules.slice(1) }
    expect(addRule(left, startRule('issues', defaults)).rules.map(({ number }) => number)).toEqual([
      1, 2,
    ])
  })
})
