import { describe, expect, it } from 'vitest'
import { describeSegment } from './describe-segment.ts'
import type { SegmentGroup } from './flag-rules.ts'

const staff: SegmentGroup = {
  when: [{ attribute: 'email', operator: 'endsWith', value: '@acme.example' }],
}
const large: SegmentGroup = {
  when: [
    { attribute: 'plan', operator: 'equals', value: 'pro' },
    { attribute: 'seats', operator: 'greater', value: 5 },
  ],
}

describe('the users of a segment in words', () => {
  it.each<[string, readonly SegmentGroup[]]>([
    ['email ends with @acme.example', [staff]],
    ['plan is pro and seats is more than 5, or email ends with @acme.example', [large, staff]],
    [
      'email ends with @acme.example, or email ends with @acme.example, or email ends with @acme.example, or 1 more group',
      [staff, staff, staff, large],
    ],
  ])('are “%s”', (words, groups) => {
    expect(describeSegment(groups)).toBe(words)
  })
})
