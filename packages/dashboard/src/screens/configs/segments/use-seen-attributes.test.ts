import { expect, it } from 'vitest'
import { mergeAttributes } from './use-seen-attributes.ts'

it('proposes each attribute once, with the values of every flag and segment that asks for it', () => {
  const seen = mergeAttributes([
    { attribute: 'plan', values: ['pro'] },
    { attribute: 'email', values: [] },
    { attribute: 'plan', values: ['team', 'pro'] },
  ])
  expect([...seen]).toEqual([
    ['plan', ['pro', 'team']],
    ['email', []],
  ])
})
