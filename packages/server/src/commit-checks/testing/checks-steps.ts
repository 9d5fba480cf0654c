import fc from 'fast-check'
import { keyNames, type ModelDefinition } from './checks-world.ts'
import { branches, type ChecksStep } from './play-checks.ts'

const key = fc.record(
  {
    type: fc.constantFrom('string' as const, 'number' as const),
    required: fc.boolean(),
    max: fc.constantFrom(5),
  },
  { requiredKeys: ['type', 'required'] },
)
const definition: fc.Arbitrary<ModelDefinition> = fc.dictionary(fc.constantFrom(...keyNames), key, {
  maxKeys: 3,
  noNullPrototype: true,
})
const pick = fc.nat({ max: 30 })
const branch = fc.constantFrom(...branches)
const value = fc.constantFrom('text', 1, 9, null)

/** Generates one step of the model of checks. */
const checksStep: fc.Arbitrary<ChecksStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('push' as const),
      branch,
      definition: fc.option(definition, { freq: 8 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('uploadAgain' as const),
      pick,
      definition: fc.option(definition),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('uploadByToken' as const), pick, definition }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      pick,
      key: fc.constantFrom(...keyNames),
      value,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pushSchema' as const), definition }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reparent' as const), pick, parent: pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('addEnvironment' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('open' as const), branch, fork: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      pick,
      to: fc.constantFrom('open' as const, 'closed' as const, 'merged' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pushFork' as const), pick }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('deliver' as const),
      pick,
      how: fc.constantFrom('once' as const, 'twice' as const, 'never' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('deploy' as const), pick, environment: pick }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(1, 20, 45) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('work' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('workTwice' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cutOff' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('hostFails' as const), times: fc.constantFrom(1, 3) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('slowWrite' as const),
      pick,
      key: fc.constantFrom(...keyNames),
      value,
    }),
  },
)

/** A status that is under way while what it says changes: it may reach the host after the newer one. */
const overtaken: fc.Arbitrary<ChecksStep[]> = fc
  .tuple(branch, pick)
  .map(([of, at]) => [
    { do: 'push', branch: of, definition: { a: { type: 'string', required: true } } },
    { do: 'set', pick: at + 1, key: 'a', value: 'text' },
    { do: 'set', pick: at, key: 'a', value: null },
    { do: 'slowWrite', pick: at, key: 'a', value: 'text' },
    { do: 'work' },
  ])

/** Generates the steps of one case. */
export const checksSteps: fc.Arbitrary<ChecksStep[]> = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: checksStep.map((step) => [step]) },
      { weight: 1, arbitrary: overtaken },
    ),
    { minLength: 8, maxLength: 30 },
  )
  .map((parts) => parts.flat())
