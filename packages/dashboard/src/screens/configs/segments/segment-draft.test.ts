import { describe, expect, it } from 'vitest'
import { createCondition } from '../rules/condition-draft.ts'
import { createGroup, parseGroups, toDraftText, toSegmentDraft } from './segment-draft.ts'
import type { Segment } from './use-segments.ts'

const email = { attribute: 'email', operator: 'endsWith', value: '@acme.example' } as const
const plan = { attribute: 'plan', operator: 'in', values: ['pro', 'beta'], not: true } as const
const seats = { attribute: 'seats', operator: 'greater', value: 5 } as const
const at = '2026-11-25T12:00:00.000Z'
const staff: Segment = {
  name: 'staff',
  description: 'Everyone who works here',
  text: '',
  attributes: [],
  version: 3,
  flags: 0,
  createdAt: at,
  updatedAt: at,
  updatedBy: { type: 'user', id: 'usr_1', name: 'Ada' },
  anyOf: [{ when: [email] }, { when: [{ ...plan, values: [...plan.values] }, seats] }],
  uses: [],
  usesTotal: 0,
}

describe('a segment in the editor', () => {
  it('becomes the same groups again', () => {
    expect(parseGroups(toSegmentDraft(staff).groups)).toEqual({ anyOf: staff.anyOf })
  })

  it('says at each condition what is wrong, and which group has none', () => {
    const condition = createCondition('plan')
    const [first, empty] = [createGroup([condition]), createGroup([])]
    expect(parseGroups([first, empty])).toEqual({
      errors: {
        groups: new Map([[empty.id, expect.stringContaining('Add a condition')]]),
        conditions: {
          attributes: new Map(),
          values: new Map([[condition.id, expect.stringContaining('text')]]),
        },
      },
    })
  })

  it('is edited once anything of it differs, and not before', () => {
    const start = toSegmentDraft(staff)
    const text = toDraftText(start)
    expect(toDraftText(toSegmentDraft(staff))).toBe(text)
    expect(toDraftText({ ...start, description: '' })).not.toBe(text)
    expect(toDraftText({ ...start, groups: start.groups.slice(1) })).not.toBe(text)
    const [group] = start.groups
    const negated = group?.conditions.map((condition) => ({ ...condition, not: true })) ?? []
    expect(toDraftText({ ...start, groups: start.groups.with(0, createGroup(negated)) })).not.toBe(
      text,
    )
  })
})
