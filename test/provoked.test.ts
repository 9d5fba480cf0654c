import { problems } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { readAnsweredProblems } from './answered-problems.ts'

describe('the tests that ran before', () => {
  it('were answered with each problem code', () => {
    const answered = readAnsweredProblems()
    if (answered === undefined)
      throw new Error('Run it with: node scripts/check.ts only pure database provoked')
    expect(Object.keys(problems).filter((code) => !answered.has(code))).toEqual([])
  })
})
