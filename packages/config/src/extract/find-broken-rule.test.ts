import { expect, it } from 'vitest'
import { findBrokenRule } from './find-broken-rule.ts'

it.each([
  [{ minLength: 16 }, 'tooshort', 'must have at least 16 characters'],
  [{ minLength: 16 }, 'long enough for it', undefined],
  [{ pattern: '^sk_' }, 'pk_1', 'must match ^sk_'],
  [{ pattern: '^s', allOf: [{ pattern: 'k$' }] }, 'sx', 'must match k$'],
  [{ multipleOf: 1, maximum: 9 }, 1.5, 'must be a whole number'],
  [{ enum: ['hunter2', 'swordfish'] }, 'other', undefined],
  [{ const: 'hunter2' }, 'other', undefined],
  [{}, 'anything', undefined],
])('of %o, %o breaks: %s', (constraints, value, rule) => {
  expect(findBrokenRule(constraints, value)).toBe(rule)
})
