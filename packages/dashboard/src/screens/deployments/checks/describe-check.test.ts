import { describe, expect, it } from 'vitest'
import { describeCheck, describeReport, describeSource, nameKeys } from './describe-check.ts'

const environment = (name: string, keys: Partial<Keys> = {}) => ({
  environmentId: `env_${name}`,
  environment: name,
  production: name === 'production',
  result: 'ready' as const,
  missing: [],
  invalid: [],
  breaking: [],
  ...keys,
})

interface Keys {
  readonly missing: string[]
  readonly invalid: { key: string; detail: string }[]
  readonly breaking: { key: string; detail: string }[]
}

const schema = (name: string, ...environments: ReturnType<typeof environment>[]) => ({
  name,
  schemaId: null,
  environments,
})

const says = (...schemas: ReturnType<typeof schema>[]) =>
  describeCheck({ schemas, conclusion: 'failure' })

describe('the check of a commit', () => {
  it('counts the environments that are ready', () => {
    expect(says(schema('web', environment('staging'), environment('production')))).toEqual([
      'Ready in 2 environments.',
    ])
    expect(says(schema('web', environment('staging')))).toEqual(['Ready in its environment.'])
    expect(says(schema('web'))).toEqual(['There is no environment to compare it with yet.'])
  })

  it('names what an environment lacks and refuses, over all of its schemas', () => {
    const detail = 'Use a number.'
    const web = schema(
      'web',
      environment('staging'),
      environment('production', { missing: ['stripeKey'] }),
    )
    const api = schema(
      'api',
      environment('staging'),
      environment('production', { missing: ['dsn'], invalid: [{ key: 'port', detail }] }),
    )
    expect(says(web, api)).toEqual([
      'production lacks stripeKey and dsn, and has an invalid value of port.',
    ])
  })

  it('warns of what runs, whether or not the environments are ready', () => {
    const breaking = [{ key: 'oldFlag', detail: 'It is gone.' }]
    const warning = 'What runs in production still reads oldFlag as it was.'
    expect(says(schema('web', environment('production', { breaking })))).toEqual([
      'Ready in its environment.',
      warning,
    ])
    expect(says(schema('web', environment('production', { breaking, missing: ['a'] })))).toEqual([
      'production lacks a.',
      warning,
    ])
  })
})

it('a few keys are named, and the others counted', () => {
  expect(nameKeys(['a', 'b', 'c', 'd'])).toBe('a, b, c and d')
  expect(nameKeys(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 more')
})

it('a commit is named by its pull request rather than by its branch', () => {
  expect(describeSource({ pullRequest: 12, ref: 'cart' })).toBe('Pull request 12')
  expect(describeSource({ pullRequest: null, ref: 'cart' })).toBe('cart')
  expect(describeSource({ pullRequest: null, ref: null })).toBeUndefined()
})

it('a result that the code host does not show says why', () => {
  const report = { writtenAt: null, nextStep: null, url: null, detail: null }
  expect(describeReport({ ...report, kind: 'check_run', state: 'written' }, 'GitHub')).toBe(
    'On GitHub, as a check',
  )
  expect(describeReport({ ...report, kind: null, state: 'waiting' }, 'GitHub')).toBe(
    'Being written to GitHub',
  )
  const detail = 'The repository is archived.'
  expect(describeReport({ ...report, kind: null, state: 'given_up', detail }, 'GitHub')).toBe(
    `Not on GitHub: ${detail}`,
  )
  expect(describeReport({ ...report, kind: null, state: 'none' }, 'GitHub')).toBe(
    'Only here: No code host is connected that shows it.',
  )
})
