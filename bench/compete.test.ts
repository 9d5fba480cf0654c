import { describe, expect, it } from 'vitest'
import { ratios, reach, renderRatio, type Measured } from './compete.ts'

/** Builds one round of a contestant for each number of requests per second. */
const roundsOf = (requests: readonly number[], cpuMicroseconds: number): Measured[] =>
  requests.map((requestsPerSecond) => ({
    answers: requestsPerSecond,
    requestsPerSecond,
    p50Ms: 1,
    p99Ms: 2,
    errors: 0,
    cpuMicroseconds,
  }))
const seven = [100, 100, 100, 100, 100, 100, 100]

describe('a ratio', () => {
  it('is the median of what the sides were to each other in each round', () => {
    const ours = roundsOf([50, 50, 50, 5, 50, 900, 50], 20)
    const found = ratios(ours, roundsOf(seven, 10))
    expect(found).toEqual({
      requestsPerSecond: 0.5,
      answersPerCpuSecond: 0.5,
      p99: 1,
      isNoisy: false,
    })
    expect(renderRatio(found)).toBe('0.5 (0.5 by processor time)')
  })

  it.each([
    ['both yardsticks agree within a tenth', seven, 10.9, false],
    ['they differ by more', seven, 11.2, true],
    ['there are fewer than seven rounds', seven.slice(1), 10, true],
    ['the processor time is unknown', seven, Number.NaN, true],
  ])('when %s: noisy is %4$s', (_, requests, cpuMicroseconds, isNoisy) => {
    const found = ratios(roundsOf(requests, cpuMicroseconds), roundsOf(requests, 10))
    expect(found.isNoisy).toBe(isNoisy)
    expect(renderRatio(found).endsWith(', noisy)')).toBe(isNoisy)
  })

  it('reaches a figure by both yardsticks or not at all', () => {
    const of = (requestsPerSecond: number, answersPerCpuSecond: number) =>
      reach(0.9, { requestsPerSecond, answersPerCpuSecond, p99: 1, isNoisy: false })
    expect([of(0.9, 0.9), of(0.95, 0.89), of(0.89, 0.95)]).toEqual([true, false, false])
  })
})
