import { expect, it } from 'vitest'
import { describeProtection } from './describe-protection.ts'

it.each([
  [false, false, false, 0, 'nothing'],
  [false, true, false, 0, 'typing its name'],
  [false, false, true, 0, 'a comment'],
  [true, false, false, 0, 'typing its name (dashboard and CLI)'],
  [true, true, false, 0, 'typing its name'],
  [true, false, true, 0, 'typing its name (dashboard and CLI) and a comment'],
  [true, true, true, 0, 'typing its name and a comment'],
  [false, false, false, 1, '1 approval'],
  [true, true, true, 2, 'typing its name, a comment and 2 approvals'],
])(
  'says what changes require: production %s, confirm %s, comment %s, approvals %s',
  (production, confirm, comment, approvals, text) => {
    const protection = { confirm, comment, approvals }
    expect(describeProtection({ production, protection })).toBe(text)
  },
)
