import { describe, expect, it } from 'vitest'
import { describeNext, describeWhyNotReview, type ChangeRequest } from './describe-request.ts'

const environment = (name: string, needed: number, given: number) => ({
  environmentId: `env_${name}`,
  name,
  approvals: { needed, given },
})

const open: ChangeRequest = {
  id: 'chr_1',
  number: 12,
  title: 'Raise the limit',
  reason: '',
  state: 'open',
  revision: 1,
  author: { type: 'user', id: 'usr_ada', name: 'Ada' },
  kind: 'values',
  environments: [
    environment('production', 2, 0),
    environment('eu', 1, 0),
    environment('dev', 0, 0),
  ],
  keys: [],
  applyAt: null,
  createdAt: '2026-11-30T08:00:00.000Z',
  updatedAt: '2026-11-30T08:00:00.000Z',
  expiresAt: '2026-12-30T08:00:00.000Z',
  operation: {},
  omitted: [],
  effects: [],
  reviews: [],
  may: {
    review: false,
    ownRequest: false,
    revise: false,
    apply: false,
    withdraw: false,
    override: false,
    acknowledge: false,
  },
  version: 1,
}

const declined = {
  member: { id: 'usr_grace', name: 'Grace' },
  verdict: 'decline' as const,
  text: 'Not on a Friday',
  revision: 1,
  counts: true,
  at: '2026-11-30T09:00:00.000Z',
}

describe('the sentence of a request', () => {
  it('names the approvals that are missing, and the time', () => {
    const words = 'It waits for 2 more approvals in production and 1 more approval in eu.'
    expect(describeNext(open, undefined)).toBe(words)
    expect(describeNext(open, 'noon')).toBe(
      `${words} If it has them by then, it applies itself at noon.`,
    )
  })

  it('names those alone whose decline counts', () => {
    const ada = { ...declined, member: { id: 'usr_ada', name: 'Ada' }, counts: false }
    expect(describeNext({ ...open, state: 'declined', reviews: [ada, declined] }, undefined)).toBe(
      'It waits until Grace takes the decline back, or somebody changes the request.',
    )
  })

  it('says why it failed, in the words of the server', () => {
    const failure = { code: 'too_late', detail: 'The server was down at its time. Ask again.' }
    expect(describeNext({ ...open, state: 'failed', failure }, undefined)).toBe(failure.detail)
  })
})

describe('why a person cannot review', () => {
  it('is said of their own request, and of others that they may not approve', () => {
    expect(describeWhyNotReview({ ...open, may: { ...open.may, ownRequest: true } })).toContain(
      'somebody else',
    )
    expect(describeWhyNotReview(open)).toContain('production, eu or dev')
  })

  it('is not said where they can, and once it is over', () => {
    expect(describeWhyNotReview({ ...open, may: { ...open.may, review: true } })).toBeUndefined()
    expect(describeWhyNotReview({ ...open, state: 'withdrawn' })).toBeUndefined()
  })
})
