import type { PeerCondition, PeerFlag } from '../flags.ts'
import { answerOf, loadSdk, type Product } from '../product.ts'

interface Sdk {
  FliptClient: {
    init(options: object): Promise<{
      evaluateBoolean(request: object): { readonly enabled: boolean }
    }>
  }
}

function toConstraint(condition: PeerCondition) {
  const property = condition.attribute
  const type = 'STRING_CONSTRAINT_COMPARISON_TYPE'
  if ('oneOf' in condition)
    return { type, property, operator: 'isoneof', value: JSON.stringify(condition.oneOf) }
  if ('endsWith' in condition)
    return { type, property, operator: 'suffix', value: condition.endsWith }
  const value = String(condition.atLeast)
  return { type: 'NUMBER_CONSTRAINT_COMPARISON_TYPE', property, operator: 'gte', value }
}

const toFlag = ({ key, on, rules }: PeerFlag) => ({
  key,
  name: key,
  description: '',
  enabled: on,
  type: 'BOOLEAN_FLAG_TYPE',
  rules: [],
  rollouts: rules.map((rule, at) =>
    'percent' in rule
      ? {
          type: 'THRESHOLD_ROLLOUT_TYPE',
          rank: at + 1,
          threshold: { percentage: rule.percent, value: true },
        }
      : {
          type: 'SEGMENT_ROLLOUT_TYPE',
          rank: at + 1,
          segment: {
            value: true,
            segmentOperator: 'OR_SEGMENT_OPERATOR',
            segments: [
              {
                key: `${key}-${at}`,
                matchType: 'ALL_SEGMENT_MATCH_TYPE',
                constraints: rule.when.map(toConstraint),
              },
            ],
          },
        },
  ),
})

export const flipt: Product = {
  name: 'Flipt',
  sdk: '@flipt-io/flipt-client-js',
  setup:
    '`client.evaluateBoolean()`; its `fetcher` is answered with the snapshot; no polling. It runs as WebAssembly, and its contexts hold texts alone',
  encode: (flags) => JSON.stringify({ namespace: { key: 'default' }, flags: flags.map(toFlag) }),
  async open(text) {
    const { FliptClient } = await loadSdk<Sdk>(this.sdk)
    const client = await FliptClient.init({
      namespace: 'default',
      updateInterval: 0,
      fetcher: () => Promise.resolve(answerOf(text)),
    })
    return ({ id, seats, ...rest }) => {
      const request = { entityId: id, context: { ...rest, seats: String(seats) } }
      return () => (key) => client.evaluateBoolean({ flagKey: key, ...request }).enabled
    }
  },
}
