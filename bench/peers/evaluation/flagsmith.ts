import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PeerCondition, PeerFlag, PeerRule } from '../flags.ts'
import { loadSdk, type Product } from '../product.ts'

interface Sdk {
  Flagsmith: new (options: object) => {
    getIdentityFlags(
      id: string,
      traits: object,
    ): Promise<{ isFeatureEnabled(name: string): boolean }>
  }
  LocalFileHandler: new (path: string) => object
}

function toCondition(condition: PeerCondition) {
  const { attribute } = condition
  if ('oneOf' in condition)
    return { operator: 'IN', property_: attribute, value: condition.oneOf.join(',') }
  if ('endsWith' in condition)
    return {
      operator: 'REGEX',
      property_: attribute,
      value: `.*${condition.endsWith.replaceAll('.', '\\.')}$`,
    }
  const value = String(condition.atLeast)
  return { operator: 'GREATER_THAN_INCLUSIVE', property_: attribute, value }
}

const toConditions = (rule: PeerRule) =>
  'percent' in rule
    ? [{ operator: 'PERCENTAGE_SPLIT', property_: null, value: String(rule.percent) }]
    : rule.when.map(toCondition)

/** Its conditions belong to segments, which override features. */
function encode(flags: readonly PeerFlag[]): string {
  const toState = (key: string, id: number, enabled: boolean) => ({
    feature: { id, name: key, type: 'STANDARD' },
    enabled,
    django_id: id,
    featurestate_uuid: key,
    feature_state_value: null,
    multivariate_feature_state_values: [],
  })
  const segments = flags.flatMap(({ key, rules }, at) =>
    rules.map((rule, index) => ({
      id: (at + 1) * 10 + index,
      name: `${key}-${index}`,
      rules: [
        {
          type: 'ALL',
          conditions: [],
          rules: [{ type: 'ALL', rules: [], conditions: toConditions(rule) }],
        },
      ],
      feature_states: [toState(key, at + 1, true)],
    })),
  )
  return JSON.stringify({
    id: 1,
    api_key: 'bench',
    name: 'production',
    project: {
      id: 1,
      name: 'bench',
      hide_disabled_flags: false,
      organisation: { id: 1, name: 'a', feature_analytics: false, persist_trait_data: false },
      segments,
    },
    feature_states: flags.map(({ key, on }, at) => toState(key, at + 1, on)),
    identity_overrides: [],
  })
}

export const flagsmith: Product = {
  name: 'Flagsmith',
  sdk: 'flagsmith-nodejs',
  setup:
    '`await client.getIdentityFlags()`, then `flags.isFeatureEnabled()`; offline with the environment document; no analytics. It decides all flags of a user at once, and has no “ends with”: a regular expression is',
  encode,
  async open(text) {
    const { Flagsmith, LocalFileHandler } = await loadSdk<Sdk>(this.sdk)
    const directory = await mkdtemp(join(tmpdir(), 'signalbox-bench-'))
    const path = join(directory, 'environment.json')
    await writeFile(path, text)
    const client = new Flagsmith({ offlineMode: true, offlineHandler: new LocalFileHandler(path) })
    await rm(directory, { recursive: true })
    return ({ id, ...traits }) =>
      async () => {
        const flags = await client.getIdentityFlags(id, traits)
        return (key) => flags.isFeatureEnabled(key)
      }
  },
}
