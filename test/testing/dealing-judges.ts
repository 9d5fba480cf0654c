import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { init } from '@launchdarkly/node-server-sdk'
import { TestData } from '@launchdarkly/node-server-sdk/integrations'
import { GrowthBook } from '@growthbook/growthbook'
import { getClient, PollingMode, User } from 'configcat-node'
import { Flagsmith, LocalFileHandler } from 'flagsmith-nodejs'
import { PostHog } from 'posthog-node'
import { Unleash } from 'unleash-client'
import type { ForeignDeal } from '@signalbox/contract'

/** Describes a client library that is asked who is in a share. Nothing leaves the machine. */
export interface DealingJudge {
  /** Returns for each unit whether the library has the flag on. */
  readonly ask: (units: readonly string[]) => Promise<readonly boolean[]>
  readonly close: () => Promise<void> | void
}

/** Opens the client library of a product with one flag that is on for a share. `directory` may hold files. */
type OpenJudge = (key: string, percent: number, directory: string) => Promise<DealingJudge>

const silent = { error: ignore, warn: ignore, info: ignore, debug: ignore }

function ignore(): void {}

/** Reaches no one: nothing listens there. */
const nowhere = 'http://127.0.0.1:9'

const openLaunchDarkly: OpenJudge = async (key, percent) => {
  const [flag = '', salt = ''] = key.split('.')
  const data = new TestData()
  const on = Math.round(percent * 1000)
  const weights = [
    { variation: 0, weight: on },
    { variation: 1, weight: 100_000 - on },
  ]
  await data.usePreconfiguredFlag({
    key: flag,
    version: 1,
    on: true,
    salt,
    variations: [true, false],
    offVariation: 1,
    fallthrough: { rollout: { variations: weights } },
  })
  const options = { updateProcessor: data.getFactory(), sendEvents: false, logger: silent }
  const client = init('sdk-key', { ...options, diagnosticOptOut: true })
  await client.waitForInitialization({ timeout: 10 })
  return {
    ask: (units) =>
      Promise.all(
        units.map((unit) => client.boolVariation(flag, { kind: 'user', key: unit }, false)),
      ),
    close: () => client.close(),
  }
}

type UnleashBootstrap = NonNullable<ConstructorParameters<typeof Unleash>[0]['bootstrap']>
type UnleashFlag = NonNullable<UnleashBootstrap['data']>[number]

const unleashFlag: UnleashFlag = {
  name: 'flag',
  type: 'release',
  enabled: true,
  stale: false,
  impressionData: false,
  project: 'default',
  variants: [],
  strategies: [],
}

async function openUnleashClient(feature: UnleashFlag): Promise<Unleash> {
  const client = new Unleash({
    appName: 'judge',
    url: nowhere,
    refreshInterval: 0,
    disableMetrics: true,
    skipInstanceCountWarning: true,
    bootstrap: { data: [feature] },
  })
  client.on('error', ignore)
  client.on('warn', ignore)
  await new Promise<void>((resolve) => {
    client.once('ready', resolve)
  })
  return client
}

const openUnleash: OpenJudge = async (groupId, percent) => {
  const parameters = { rollout: String(percent), stickiness: 'userId', groupId }
  const strategies = [{ name: 'flexibleRollout', parameters, constraints: [] }]
  const client = await openUnleashClient({ ...unleashFlag, strategies })
  return {
    ask: (units) =>
      Promise.resolve(units.map((userId) => client.isEnabled('flag', { userId }, false))),
    close: () => client.destroy(),
  }
}

const openUnleashVariant: OpenJudge = async (key, percent) => {
  const weight = Math.round(percent * 10)
  const stickiness = 'userId'
  const variants = [
    { name: 'in', weight, stickiness, weightType: 'fix' },
    { name: 'out', weight: 1000 - weight, stickiness, weightType: 'fix' },
  ]
  const client = await openUnleashClient({ ...unleashFlag, name: key, variants })
  return {
    ask: (units) =>
      Promise.resolve(units.map((userId) => client.getVariant(key, { userId }).name === 'in')),
    close: () => client.destroy(),
  }
}

function openGrowthBook(hashVersion: 1 | 2): OpenJudge {
  return (seed, percent) => {
    const rule = { force: true, coverage: percent / 100, hashAttribute: 'id', hashVersion, seed }
    const client = new GrowthBook({ features: { flag: { defaultValue: false, rules: [rule] } } })
    const isOn = async (id: string) => {
      await client.setAttributes({ id })
      return client.isOn('flag')
    }
    return Promise.resolve({
      async ask(units) {
        const answers: boolean[] = []
        for (const unit of units) answers.push(await isOn(unit))
        return answers
      },
      close: () => client.destroy(),
    })
  }
}

const openFlagsmith: OpenJudge = (key, percent, directory) => {
  const [segment = '', environment = ''] = key.slice(0, -1).split(',')
  const feature = { id: 1, name: 'flag', type: 'STANDARD' }
  const state = { feature, featurestate_uuid: 'one', feature_state_value: null, django_id: 1 }
  const split = { operator: 'PERCENTAGE_SPLIT', property_: null, value: String(percent) }
  const rules = [
    {
      type: 'ALL',
      conditions: [],
      rules: [{ type: 'ANY', rules: [], conditions: [split] }],
    },
  ]
  const overrides = [{ ...state, enabled: true, multivariate_feature_state_values: [] }]
  const file = join(directory, 'flagsmith.json')
  const document = {
    id: 1,
    api_key: environment,
    name: 'production',
    project: {
      id: 1,
      name: 'project',
      hide_disabled_flags: false,
      organisation: { id: 1, name: 'acme', feature_analytics: false, persist_trait_data: false },
      segments: [{ id: Number(segment), name: 'share', rules, feature_states: overrides }],
    },
    feature_states: [{ ...state, enabled: false, multivariate_feature_state_values: [] }],
    identity_overrides: [],
  }
  writeFileSync(file, JSON.stringify(document))
  const client = new Flagsmith({ offlineMode: true, offlineHandler: new LocalFileHandler(file) })
  const isOn = async (unit: string) =>
    (await client.getIdentityFlags(unit)).isFeatureEnabled('flag')
  return Promise.resolve({
    ask: (units) => Promise.all(units.map(isOn)),
    close: () => client.close(),
  })
}

const openConfigCat: OpenJudge = async (flag, percent) => {
  const shares = [
    { p: percent, v: { b: true } },
    { p: 100 - percent, v: { b: false } },
  ]
  const settings = { [flag]: { t: 0, v: { b: false }, p: shares } }
  const config = JSON.stringify({ p: { u: nowhere, r: 0, s: 'salt' }, f: settings })
  const cached = `${Date.now()}\n"1"\n${config}`
  const sdkKey = `${'a'.repeat(22)}/${'b'.repeat(22)}`
  const client = getClient(sdkKey, PollingMode.ManualPoll, {
    offline: true,
    logger: null,
    cache: { get: () => cached, set: ignore },
  })
  await client.forceRefreshAsync()
  return {
    ask: (units) =>
      Promise.all(units.map((unit) => client.getValueAsync(flag, false, new User(unit)))),
    close: () => client.dispose(),
  }
}

const openPostHog: OpenJudge = (key, percent) =>
  openPostHogFlag(key, { groups: [{ properties: [], rollout_percentage: percent }] }, true)

const openPostHogVariant: OpenJudge = (key, percent) => {
  const variants = [
    { key: 'in', rollout_percentage: percent },
    { key: 'out', rollout_percentage: 100 - percent },
  ]
  return openPostHogFlag(key, { groups: [{ properties: [] }], multivariate: { variants } }, 'in')
}

async function openPostHogFlag(
  key: string,
  filters: object,
  sought: true | 'in',
): Promise<DealingJudge> {
  const flag = { id: 1, key, active: true, filters }
  const body = JSON.stringify({ flags: [flag], group_type_mapping: {} })
  const client = new PostHog('phc_judge', {
    host: nowhere,
    personalApiKey: 'phx_judge',
    fetch: () => Promise.resolve(new Response(body, { status: 200 })),
  })
  await client.waitForLocalEvaluationReady(10_000)
  const options = { onlyEvaluateLocally: true, sendFeatureFlagEvents: false }
  return {
    async ask(units) {
      const answers = await Promise.all(
        units.map((unit) => client.getFeatureFlag(key, unit, options)),
      )
      if (answers.includes(undefined)) throw new Error('PostHog has no answer.')
      return answers.map((answer) => answer === sought)
    },
    close: () => client.shutdown(),
  }
}

/** Holds the judge of each dealing, with the shares it is asked about. Flipt and GO Feature Flag have no client library for JavaScript that evaluates. */
export const dealingJudges: readonly {
  readonly deal: ForeignDeal
  readonly percents: readonly number[]
  readonly open: OpenJudge
}[] = [
  {
    deal: { as: 'launchdarkly', key: 'checkout.3fbf2fd5' },
    percents: [10, 33.333],
    open: openLaunchDarkly,
  },
  { deal: { as: 'unleash', key: 'checkout' }, percents: [1, 42], open: openUnleash },
  {
    deal: { as: 'unleash-variant', key: 'checkout' },
    percents: [10, 33.3],
    open: openUnleashVariant,
  },
  { deal: { as: 'growthbook-v1', key: 'checkout' }, percents: [10, 33.3], open: openGrowthBook(1) },
  {
    deal: { as: 'growthbook-v2', key: 'checkout' },
    percents: [10, 33.33],
    open: openGrowthBook(2),
  },
  { deal: { as: 'flagsmith', key: '12,ABC_' }, percents: [10, 33.3], open: openFlagsmith },
  { deal: { as: 'configcat', key: 'checkout' }, percents: [10, 42], open: openConfigCat },
  { deal: { as: 'posthog', key: 'checkout' }, percents: [10, 33.3], open: openPostHog },
  {
    deal: { as: 'posthog-variant', key: 'checkout' },
    percents: [10, 33.3],
    open: openPostHogVariant,
  },
]
