import { describe, expect, it } from 'vitest'
import { keySteps } from './key-steps.ts'

const status = {
  at: '2026-11-21T06:00:07.000Z',
  kind: 'status' as const,
  state: 'done' as const,
  title: 'Pending',
  detail: null,
  url: null,
  nextStep: null,
  actions: [],
  subjectId: null,
}

const keysOf = (...titles: readonly string[]) =>
  keySteps(titles.map((title) => ({ ...status, title }))).map(({ key }) => key)

describe('keySteps', () => {
  it('tells alike statuses of one second apart', () => {
    const keys = keysOf('Pending', 'Pending', 'Deployed')
    expect(new Set(keys).size).toBe(3)
  })

  it('keeps the key of a step when others come after it', () => {
    expect(keysOf('Pending', 'Pending', 'Deployed').slice(0, 2)).toEqual(
      keysOf('Pending', 'Pending'),
    )
  })
})
