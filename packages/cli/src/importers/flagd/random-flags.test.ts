import fc from 'fast-check'
import { expect, inject, it } from 'vitest'
import { compareWithSdk } from '../testing/compare-with-sdk.ts'
import { sampleWildContexts } from '../testing/wild-contexts.ts'

const plains = fc.constantFrom<(string | number | boolean)[]>(
  'pro',
  'free',
  '5',
  'true',
  '',
  '0',
  'null',
  'user-1',
  '1.2.3',
  5,
  0,
  1,
  true,
  false,
)
const attribute = fc.constantFrom('plan', 'age', 'targetingKey').map((name) => ({ var: name }))
const operator = fc.constantFrom('===', '!==', '==', '!=', '<', '>=')
const compared = fc.tuple(operator, attribute, plains).map(([by, one, other]) => ({
  [by]: [one, other],
}))
const part = fc.constantFrom('pro', 'f', '5', '', 'user-')
const leaf: fc.Arbitrary<object> = fc.oneof(
  { weight: 4, arbitrary: compared },
  fc.tuple(attribute, fc.array(plains, { maxLength: 3 })).map((args) => ({ in: args })),
  fc.tuple(part, attribute).map((args) => ({ in: args })),
  fc.tuple(attribute, part).map((args) => ({ starts_with: args })),
  fc.tuple(attribute, part).map((args) => ({ ends_with: args })),
  attribute.map((one) => ({ sem_ver: [one, '>=', '1.2.3'] })),
)
const test = fc.oneof(
  leaf,
  leaf.map((one) => ({ '!': [one] })),
  fc.array(leaf, { minLength: 1, maxLength: 3 }).map((args) => ({ and: args })),
  fc.array(leaf, { minLength: 1, maxLength: 3 }).map((args) => ({ or: args })),
)
const variant = fc.constantFrom('on', 'off', null)
const targeting = fc.oneof(
  fc.tuple(test, fc.constantFrom('on', 'off'), variant).map((args) => ({ if: args })),
  fc
    .tuple(test, fc.constantFrom('on', 'off'), test, fc.constantFrom('on', 'off'))
    .map((args) => ({ if: args })),
  fc
    .tuple(test, test, variant)
    .map(([outer, inner, last]) => ({ if: [outer, { if: [inner, 'on', 'off'] }, last] })),
)

it('flags of flagd that are said to be exact decide as its evaluator does, with attributes of every type', async () => {
  const variants = fc.constantFrom<object[]>(
    { on: true, off: false },
    { on: 'blue', off: '' },
    { on: 5, off: 0 },
    { on: true, beta: true, off: false },
  )
  const samples = fc.sample(fc.tuple(targeting, fc.constantFrom('on', 'off'), variants), {
    numRuns: 400 * inject('scale'),
    seed: 17,
  })
  const flags = Object.fromEntries(
    samples.map(([logic, defaultVariant, served], index) => [
      `flag-${index}`,
      {
        state: 'ENABLED',
        variants: served,
        defaultVariant,
        targeting: logic,
      },
    ]),
  )
  const contexts = sampleWildContexts(['plan', 'age'], { count: 200 })
  const { decisions, differ } = await compareWithSdk('flagd', [{ flags }], contexts)
  expect(differ.slice(0, 1)).toEqual([])
  expect(decisions).toBeGreaterThan(20_000)
})
