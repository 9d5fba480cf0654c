import { expect, it } from 'vitest'
import { findBrokenRule } from './find-broken-rule.ts'

it.each([
  [{ minLength: 16 }, 'tooshort', 'must have at least 16 characters'],
  [{ minLength: 16 }, 'long enough for it', undefined],
  [{ pattern: '^sk_' }, 'pk_1', 'must match ^sk_'],
  [{ pattern: '^s', allOf: [{ pattern: 'k$' }] }, 'sx', 'must match k$'],
  [{ multipleOf: 1, maximum: 9 }, 1.5, 'must be a whole number'],
  [{ enum: ['hunter2', 'swordfish'] }, 'other', 'must be one of the values that it allows'],
  [{ enum: ['hunter2'], minLength: 6 }, 'other', 'must have at least 6 characters'],
  [{ const: 'hunter2' }, 'other', 'must be one of the values that it allows'],
  [{ enum: ['hunter2', 'swordfish'] }, 'hunter2', undefined],
  [{}, 'anything', undefined],
])('of %o, %o breaks: %s', (constraints, value, rule) => {
  expect(findBrokenRule(constraints, value)).toBe(rule)
})
