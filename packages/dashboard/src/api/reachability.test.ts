import { beforeEach, expect, it } from 'vitest'
import { noteOutcome, reachability } from './reachability.ts'

beforeEach(() => noteOutcome('GET', 200))

const fail = (times: number) => {
  for (let time = 0; time < times; time += 1) noteOutcome('GET', 503)
}

it('takes several failed reads in a row for a server that does not answer, and one answer for the end of it', () => {
  fail(3)
  expect(reachability.get().readsFail).toBe(false)
  fail(1)
  expect(reachability.get()).toEqual({ readsFail: true, isUnreachable: false })
  noteOutcome('GET', 404)
  expect(reachability.get().readsFail).toBe(false)
  fail(3)
  expect(reachability.get().readsFail).toBe(false)
})

it('says of a write without a response that nobody is there, and when somebody is again', () => {
  const heard: boolean[] = []
  const stop = reachability.subscribe(() => heard.push(reachability.get().isUnreachable))
  noteOutcome('PATCH', 0)
  noteOutcome('PATCH', 0)
  noteOutcome('GET', 200)
  stop()
  noteOutcome('PATCH', 0)
  expect(heard).toEqual([true, false])
})
