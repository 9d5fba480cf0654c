import type { PeerCondition, PeerFlag } from '../flags.ts'
import { loadSdk, type Product } from '../product.ts'

interface Client {
  initSync(options: object): unknown
  isOn(key: string, user: object): boolean
}

interface Sdk {
  GrowthBookClient: new () => Client
}

function toTest(condition: PeerCondition): object {
  if ('oneOf' in condition) return { $in: condition.oneOf }
  if ('endsWith' in condition) return { $regex: `${condition.endsWith.replaceAll('.', '\\.')}$` }
  return { $gte: condition.atLeast }
}

const toFeature = ({ key, on, rules }: PeerFlag) => ({
  defaultValue: on,
  rules: rules.map((rule) =>
    'percent' in rule
      ? {
          force: true,
          coverage: rule.percent / 100,
          hashAttribute: 'id',
          seed: key,
          hashVersion: 2,
        }
      : {
          force: true,
          condition: Object.fromEntries(rule.when.map((each) => [each.attribute, toTest(each)])),
        },
  ),
})

export const growthbook: Product = {
  name: 'GrowthBook',
  sdk: '@growthbook/growthbook',
  setup:
    '`client.isOn()`; `initSync` with the payload; nobody is tracked. It has no “ends with”: a regular expression is',
  encode: (flags) =>
    JSON.stringify({
      features: Object.fromEntries(flags.map((flag) => [flag.key, toFeature(flag)])),
    }),
  async open(text) {
    const { GrowthBookClient } = await loadSdk<Sdk>(this.sdk)
    const client = new GrowthBookClient()
    client.initSync({ payload: JSON.parse(text) })
    return (user) => {
      const context = { attributes: user }
      return () => (key) => client.isOn(key, context)
    }
  },
}
