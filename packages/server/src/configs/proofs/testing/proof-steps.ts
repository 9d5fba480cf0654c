import fc from 'fast-check'
import { environments } from './proof-oracle.ts'

const environment = fc.constantFrom(...environments)
const prove = fc.constantFrom(0, 0, 1, 1, 2, 3, 4, 5, 5, 5)
const value = fc.constantFrom('One', 'Two', 'Three', null)
const kindOf = <const K extends string>(kind: K) => fc.constant(kind)

/** Makes what somebody or something does next. */
export const step = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      kind: kindOf('save'),
      schema: fc.constantFrom('web', 'web', 'web', 'app'),
      environment,
      key: fc.constantFrom('title', 'title', 'subtitle'),
      value,
      prove,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kindOf('both'), value, other: value, prove }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: kindOf('turn'),
      environment,
      to: fc.constantFrom('off', 'off', 'on'),
      value,
      prove,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kindOf('return'), environment, prove }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: kindOf('says'),
      signal: fc.constantFrom('a', 'a', 'b'),
      verdict: fc.constantFrom('good', 'bad', 'bad', 'none'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kindOf('result'),
      outcome: fc.constantFrom('passed', 'failed', 'none', 'pending'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kindOf('deploy'), environment }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: kindOf('stop'),
      at: fc.nat(3),
      as: fc.constantFrom('proven', 'tell'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kindOf('policy'), environment, prove }) },
  { weight: 1, arbitrary: fc.record({ kind: kindOf('push') }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: kindOf('jump'), minutes: fc.constantFrom(5, 70, -3) }),
  },
  {
    weight: 10,
    arbitrary: fc.record({ kind: kindOf('look'), seconds: fc.constantFrom(15, 15, 30, 55) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kindOf('twice') }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: kindOf('kill'), before: fc.integer({ min: 1, max: 60 }) }),
  },
)

export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
