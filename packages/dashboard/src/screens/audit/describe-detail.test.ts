import { expect, it } from 'vitest'
import { describeDetail } from './describe-detail.ts'

const before = { confirm: true, approvals: 0, approvers: { roles: ['admin'] } }

it.each([
  ['staging', 'staging'],
  [['name', 'protection'], 'name, protection'],
  [7, '7'],
  [{ a: 1 }, '{"a":1}'],
  [
    { before, after: { ...before, approvals: 2, approvers: { members: ['usr_1'] } } },
    'approvals: 0 → 2, approvers: {"roles":["admin"]} → {"members":["usr_1"]}',
  ],
  // A pair of something else stays as it is recorded.
  [{ before: null, after: { a: 1 } }, '{"before":null,"after":{"a":1}}'],
  [{ before: { a: 1 }, after: { a: 2 }, at: 3 }, '{"before":{"a":1},"after":{"a":2},"at":3}'],
])('says %j as text', (value, text) => {
  expect(describeDetail(value)).toBe(text)
})
