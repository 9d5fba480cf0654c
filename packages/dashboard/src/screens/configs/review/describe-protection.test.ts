import { expect, it } from 'vitest'
import { describeProtection } from './describe-protection.ts'

it.each([
  [false, false, false, 'nothing'],
  [false, true, false, 'typing its name'],
  [false, false, true, 'a comment'],
  [true, false, false, 'typing its name (dashboard and CLI)'],
  [true, true, false, 'typing its name'],
  [true, false, true, 'typing its name (dashboard and CLI) and a comment'],
  [true, true, true, 'typing its name and a comment'],
])(
  'says what changes require: production %s, confirm %s, comment %s',
  (production, confirm, comment, text) => {
    expect(describeProtection({ production, protection: { confirm, comment } })).toBe(text)
  },
)
