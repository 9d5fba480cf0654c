import type { PeerCondition, PeerFlag, PeerRule } from '../flags.ts'
import { loadSdk, type Product } from '../product.ts'

interface Sdk {
  Unleash: new (options: object) => {
    on(event: string, listener: () => void): unknown
    isEnabled(name: string, context: object): boolean
  }
}

function toConstraint(condition: PeerCondition) {
  const base = { contextName: condition.attribute, caseInsensitive: false, inverted: false }
  if ('oneOf' in condition) return { ...base, operator: 'IN', values: condition.oneOf }
  if ('endsWith' in condition)
    return { ...base, operator: 'STR_ENDS_WITH', values: [condition.endsWith] }
  return { ...base, operator: 'NUM_GTE', value: String(condition.atLeast), values: [] }
}

const toStrategy = (groupId: string) => (rule: PeerRule) => ({
  name: 'flexibleRollout',
  parameters: {
    rollout: 'percent' in rule ? String(rule.percent) : '100',
    stickiness: 'userId',
    groupId,
  },
  constraints: 'when' in rule ? rule.when.map(toConstraint) : [],
})

export const toFeature = ({ key, on, rules }: PeerFlag) => ({
  name: key,
  type: 'release',
  enabled: on || rules.length > 0,
  project: 'default',
  stale: false,
  impressionData: false,
  variants: [],
  strategies: on ? [toStrategy(key)({ when: [] })] : rules.map(toStrategy(key)),
})

export const unleash: Product = {
  name: 'Unleash',
  sdk: 'unleash-client',
  setup: '`client.isEnabled()`; bootstrapped with the answer of the server; no metrics, no polling',
  encode: (flags) => JSON.stringify({ version: 2, features: flags.map(toFeature) }),
  async open(text) {
    const { Unleash } = await loadSdk<Sdk>(this.sdk)
    const { features } = JSON.parse(text) as { features: object[] }
    const client = new Unleash({
      appName: 'bench',
      url: 'http://127.0.0.1:1/',
      refreshInterval: 0,
      disableMetrics: true,
      skipInstanceCountWarning: true,
      bootstrap: { data: features },
      storageProvider: { get: () => Promise.resolve(undefined), set: () => Promise.resolve() },
    })
    client.on('error', () => {})
    await new Promise<void>((resolve) => client.on('ready', resolve))
    return ({ id, ...properties }) => {
      const context = { userId: id, properties }
      return () => (key) => client.isEnabled(key, context)
    }
  },
}
