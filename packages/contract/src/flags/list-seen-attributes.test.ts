import { expect, it } from 'vitest'
import { listSeenAttributes } from './list-seen-attributes.ts'

it('lists the attributes of conditions with the values that one can be equal to', () => {
  expect(
    listSeenAttributes([
      { attribute: 'plan', operator: 'equals', value: 'pro' },
      { attribute: 'plan', operator: 'in', values: ['pro', 'team'] },
      { attribute: 'email', operator: 'endsWith', value: '@acme.example' },
      { operator: 'segment', segment: 'staff' },
      { attribute: 'seats', operator: 'greater', value: 10 },
      { attribute: 'note', operator: 'equals', value: 'x'.repeat(101) },
    ]),
  ).toEqual([
    { attribute: 'plan', values: ['pro', 'team'] },
    { attribute: 'email', values: [] },
    { attribute: 'seats', values: [] },
    { attribute: 'note', values: [] },
  ])
})

it('lists 50 attributes and 20 values of each, however many there are', () => {
  const values = Array.from({ length: 30 }, (_, at) => at)
  const many = Array.from({ length: 60 }, (_, at) => `a${at}`)
  const seen = listSeenAttributes(
    many.map((attribute) => ({ attribute, operator: 'in' as const, values })),
  )
  expect(seen).toHaveLength(50)
  expect(seen[0]?.values).toHaveLength(20)
})
