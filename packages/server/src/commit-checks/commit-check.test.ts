import { describe, expect, it } from 'vitest'
import type { CommitCheck } from '@signalbox/contract/rest'
import {
  annotateLines,
  checkSchema,
  concludeCheck,
  describeCheck,
  type CheckedSchema,
} from './commit-check.ts'
import type { StoredDefinition } from '../config-model/definition.ts'

type Environment = CommitCheck['schemas'][number]['environments'][number]

const environment = (name: string, more: Partial<Environment> = {}): Environment => ({
  environmentId: `env_${name}`,
  environment: name,
  production: name === 'production',
  result: 'ready',
  missing: [],
  invalid: [],
  breaking: [],
  ...more,
})
const schema = (...environments: Environment[]): CheckedSchema => ({
  name: 'web',
  schemaId: 'sch_1',
  environments,
})
const titleOf = (...environments: Environment[]) => describeCheck([schema(...environments)]).title

describe('the words of a check', () => {
  it('begin with production, and name what is missing before what is refused', () => {
    const lacks = { result: 'missing', missing: ['a', 'b', 'c'] } as const
    const [staging, production] = ['staging', 'production'].map((name) =>
      environment(name, { ...lacks, missing: [...lacks.missing] }),
    )
    expect(titleOf(...[staging, production].flatMap((each) => each ?? []))).toBe(
      'production lacks a, b and 1 more, and 1 more environment',
    )
    const invalid = [{ key: 'limit', detail: 'Must be at most 10.' }]
    expect(titleOf(environment('staging', { result: 'invalid', invalid }))).toBe(
      'staging has a value that isn’t allowed: limit',
    )
    expect(titleOf(environment('staging'), environment('production'))).toBe(
      'Ready in 2 environments',
    )
    expect(titleOf()).toBe('There is no environment yet')
  })

  it('are one note for each key and line of a file, and none for a key that fits', () => {
    const schemas = [
      schema(
        environment('staging', {
          result: 'invalid',
          invalid: [{ key: 'limit', detail: 'Must be at most 10.' }],
        }),
        environment('production', { result: 'missing', missing: ['stripeKey', 'limit'] }),
      ),
    ]
    const lines = { title: 3, limit: 4, stripeKey: 9 }
    expect(annotateLines(schemas, [{ schemaName: 'web', path: 'config.ts', lines }])).toEqual([
      {
        path: 'config.ts',
        line: 4,
        message: 'No value in production. staging: Must be at most 10.',
      },
      { path: 'config.ts', line: 9, message: 'No value in production.' },
    ])
    expect(annotateLines(schemas, [{ schemaName: 'web', path: null, lines }])).toEqual([])
  })

  it('cannot leave their cell of a table, whatever an environment or a detail is called', () => {
    const { summary } = describeCheck([
      schema(
        environment('a|b', {
          result: 'invalid',
          invalid: [{ key: 'limit', detail: 'x | y\n<img src=1>' }],
        }),
      ),
    ])
    expect(summary.split('\n').at(-1)).toBe('| a b | not ready | `limit`: x   y  img src=1  |')
  })
})

it('a program that runs is broken by a key that is gone or has another type, and by no other change', () => {
  const rule = (type: 'string' | 'number') =>
    ({ type, tier: 'public', required: true, hasDefault: false }) as const
  const running: StoredDefinition = { a: rule('string'), b: rule('number'), c: rule('string') }
  const declared: StoredDefinition = { a: rule('string'), b: rule('string'), d: rule('string') }
  const live = new Map([['env_production', new Map([['web', running]])]])
  const compared = {
    schemaId: 'sch_1',
    environments: [{ ...environment('production') }, { ...environment('staging') }],
  }
  const checked = checkSchema('Web', declared, compared, live)
  expect(checked.environments.map(({ breaking }) => breaking.map(({ key }) => key))).toEqual([
    ['b', 'c'],
    [],
  ])
  expect(concludeCheck([checked])).toBe('neutral')
})
