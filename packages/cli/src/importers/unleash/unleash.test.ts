import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createFlagEvaluator, type WrittenRule } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { prepareImported } from '../testing/prepare-imported.ts'
import { unleash } from './unleash.ts'

const options = { environment: 'production', environments: new Map<string, string>() }

interface Specification {
  readonly name: string
  readonly state: { readonly features: readonly object[] }
  readonly tests?: readonly {
    readonly description: string
    readonly context: Context
    readonly flagKey: string
    readonly expectedResult: boolean
  }[]
  readonly variantTests?: readonly {
    readonly context: Context
    readonly flagKey: string
    readonly expectedResult: { readonly name: string }
  }[]
}

type Context = Record<string, unknown> & { readonly properties?: Record<string, unknown> }

const directory = join(
  dirname(createRequire(import.meta.url).resolve('@unleash/client-specification/package.json')),
  'specifications',
)
const specifications = readdirSync(directory)
  .filter((file) => /^\d/.test(file))
  // Their name for a flag is none of ours.
  .map((file) =>
    readFileSync(join(directory, file), 'utf8').replaceAll('"toggleName"', '"flagKey"'),
  )
  .map((text): Specification => JSON.parse(text))
  .filter(({ state }) => Array.isArray(state?.features))

/** Returns their context as an application sends it here: flat, with the user as the targeting key. */
function toContext({ userId, properties, ...rest }: Context) {
  return { ...rest, ...properties, ...(userId !== undefined && { targetingKey: userId }) }
}

describe('the published cases of Unleash', () => {
  it.each(specifications)(
    '$name: a flag that is said to be exact decides as published',
    ({ state, tests = [] }) => {
      const { keys, leftOut } = unleash.fromFile(JSON.stringify(state), options)
      const flags = keys.filter(({ type }) => type === 'boolean')
      expect(flags.length + leftOut.length).toBe(state.features.length)
      const differ = tests.filter(({ flagKey, context, expectedResult }) => {
        const imported = keys.find(({ key }) => key === flagKey)
        if (imported?.verdict !== 'exact') return false
        const [{ value, rules = [] } = { value: false }] = imported.values
        const flag = { schemaId: 'sch_1', key: flagKey, value: value === true }
        const decide = createFlagEvaluator({ ...flag, rules: rules as WrittenRule[] })
        return decide(toContext(context)).value !== expectedResult
      })
      expect(differ).toEqual([])
    },
  )

  // The issues are about payloads, about users that chance divides, and about parents that do not change.
  const harmless = new Set(['UN-T022', 'UN-T025', 'UN-T028'])

  it('of variants have the published name', () => {
    const cases = specifications.flatMap(({ state, variantTests = [] }) => {
      const { keys } = unleash.fromFile(JSON.stringify(state), options)
      return variantTests.flatMap(({ flagKey, context, expectedResult }) => {
        const key = keys.find((one) => one.key === flagKey && one.variants !== undefined)
        const flag = prepareImported(key, harmless)
        const name = flag?.decide(toContext(context))
        return name === undefined ? [] : [{ flagKey, context, name, expected: expectedResult.name }]
      })
    })
    expect(cases.filter(({ name, expected }) => name !== expected)).toEqual([])
    expect(cases.length).toBeGreaterThan(10)
  })

  it('are exact for more than a third of the flags that are imported', () => {
    const read = specifications.map(({ state }) => unleash.fromFile(JSON.stringify(state), options))
    const keys = read.flatMap((one) => one.keys)
    const exact = keys.filter(({ verdict }) => verdict === 'exact')
    expect(specifications.length).toBeGreaterThan(15)
    expect(exact.length).toBeGreaterThan(keys.length / 3)
  })
})

describe('an export of Unleash', () => {
  it('of the admin API has each environment, no disabled strategy, and leaves out a flag that depends on others or on a segment of which it has only the name', () => {
    const strategy = (featureName: string, environment: string, more: object = {}) => ({
      name: 'flexibleRollout',
      featureName,
      environment,
      parameters: { rollout: '10', stickiness: 'userId', groupId: featureName },
      constraints: [],
      ...more,
    })
    const document = {
      features: [{ name: 'checkout', description: 'new' }, { name: 'banner' }, { name: 'gift' }],
      featureEnvironments: [
        { featureName: 'checkout', environment: 'dev', enabled: true },
        { featureName: 'checkout', environment: 'prod', enabled: false },
        { featureName: 'banner', environment: 'dev', enabled: true },
        { featureName: 'gift', environment: 'dev', enabled: true },
      ],
      featureStrategies: [
        strategy('checkout', 'dev'),
        strategy('checkout', 'dev', { name: 'default', disabled: true }),
        strategy('checkout', 'prod'),
        strategy('banner', 'dev', { segments: [1] }),
      ],
      dependencies: [{ feature: 'gift', dependencies: [{ feature: 'checkout' }] }],
      segments: [{ id: 1, name: 'staff' }],
    }
    const { keys, leftOut } = unleash.fromFile(JSON.stringify(document), {
      environment: undefined,
      environments: new Map([['prod', 'production']]),
    })
    const deal = { as: 'unleash', key: 'checkout' }
    const share = { attribute: 'targetingKey', operator: 'share', percent: 10, deal }
    expect(keys).toMatchObject([
      {
        key: 'checkout',
        verdict: 'exact',
        values: [
          { environment: 'dev', value: false, rules: [{ when: [share], serve: true }] },
          { environment: 'production', value: false },
        ],
        issues: [{ code: 'UN-T003', environment: 'production' }],
      },
    ])
    expect(leftOut).toMatchObject([
      { from: 'banner', issues: [{ code: 'UN-T012' }] },
      { from: 'gift', issues: [{ code: 'UN-T021' }] },
    ])
  })

  it.each([
    ['{', /line 1/],
    ['{}', /"features" is missing/],
    ['{"features":[{"name":"a"},{}]}', /features\[1\]\.name is missing/],
    [
      '{"features":[{"name":"a","enabled":true,"strategies":[{"name":"flexibleRollout","parameters":{}}]}]}',
      /rollout is no number/,
    ],
  ])('that cannot be read says where: %s', (text, message) => {
    expect(() => unleash.fromFile(text, options)).toThrow(message)
  })

  it('is read with a backend token', async () => {
    const asked: unknown[] = []
    const ask = (url: string, headers: object) => {
      asked.push([url, headers])
      return Promise.resolve({ features: [] })
    }
    const env = { UNLEASH_API_TOKEN: '*:production.1', UNLEASH_URL: 'https://unleash.example/api/' }
    await unleash.fromToken?.({ env, project: undefined, environments: [], ask })
    expect(asked).toMatchObject([
      ['https://unleash.example/api/client/features', { authorization: '*:production.1' }],
    ])
  })
})
