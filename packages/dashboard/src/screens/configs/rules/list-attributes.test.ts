import type { FlagRule } from '@signalbox/contract'
import { expect, it } from 'vitest'
import { listConditions, namesIn } from './list-attributes.ts'

const plan = { attribute: 'plan', operator: 'equals', value: 'pro' } as const
const email = { attribute: 'email', operator: 'endsWith', value: '@acme.example' } as const
const rules: readonly FlagRule[] = [
  {
    when: [plan, { operator: 'segment', segment: 'staff', not: true }],
    serve: { percent: 10, by: 'team' },
  },
]

it('names the attributes of rules, and of the segments that they refer to', () => {
  const segments = { staff: [{ when: [email] }, { when: [plan] }] }
  expect(namesIn(rules, segments)).toEqual(['plan', 'email', 'team'])
  expect(listConditions(rules, segments)).toEqual([plan, email, plan])
  // A segment that is not loaded has none yet.
  expect(namesIn(rules)).toEqual(['plan', 'team'])
})
