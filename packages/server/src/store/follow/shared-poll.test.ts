import { describe, expect, it } from 'vitest'
import { createSharedPoll } from './shared-poll.ts'

const limits = { spacingMs: 0, limitMs: 1_000 }

describe('a shared poll', () => {
  it('is one for all who call before it begins, and another one for who calls afterwards', async () => {
    let polls = 0
    const gate = Promise.withResolvers<void>()
    const read = createSharedPoll(() => {
      polls += 1
      return gate.promise
    }, limits)
    const first = [read(), read()]
    await expect.poll(() => polls).toBe(1)
    const later = read()
    await expect.poll(() => polls).toBe(2)
    gate.resolve()
    await Promise.all([...first, later])
    expect(polls).toBe(2)
  })

  it('is refused where the database fails or is silent, and begins anew with the next call', async () => {
    const answers = [Promise.reject(new Error('away')), new Promise<void>(() => {}), undefined]
    const read = createSharedPoll(() => Promise.resolve(answers.shift()), {
      spacingMs: 0,
      limitMs: 1,
    })
    await expect(read()).rejects.toMatchObject({ code: 'db_unavailable' })
    await expect(read()).rejects.toMatchObject({ code: 'db_unavailable' })
    await expect(read()).resolves.toBeUndefined()
  })
})
