import { expect, it } from 'vitest'
import { describeProtection } from './describe-protection.ts'

const free = { confirm: false, comment: false, approvals: 0 }

it.each([
  ['nothing', {}, false],
  ['typing its name', { confirm: true }, false],
  ['a comment', { comment: true }, false],
  ['typing its name (dashboard and CLI)', {}, true],
  ['typing its name', { confirm: true }, true],
  ['typing its name (dashboard and CLI) and a comment', { comment: true }, true],
  ['typing its name and a comment', { confirm: true, comment: true }, true],
  ['1 approval', { approvals: 1 }, false],
  [
    'typing its name, a comment and 2 approvals',
    { confirm: true, comment: true, approvals: 2 },
    true,
  ],
])('says what changes require: %s of %j, production %s', (text, asks, production) => {
  expect(describeProtection({ production, protection: { ...free, ...asks } })).toBe(text)
})
