import type { AttributeCondition, FlagRule } from '@signalbox/contract'
import type { PeerCondition, PeerFlag } from '../flags.ts'
import { answerOf, type Product } from '../product.ts'

const schemaId = 'sch_01jd2m4x9k0000000000000000'
const environmentId = 'env_01jd2m4x9k0000000000000000'

function toCondition(condition: PeerCondition): AttributeCondition {
  const { attribute } = condition
  if ('oneOf' in condition) return { attribute, operator: 'in', values: condition.oneOf }
  if ('endsWith' in condition) return { attribute, operator: 'endsWith', value: condition.endsWith }
  return { attribute, operator: 'greaterOrEqual', value: condition.atLeast }
}

export const toRules = ({ rules }: PeerFlag) =>
  rules.map((rule): FlagRule =>
    'percent' in rule
      ? { when: [], serve: { percent: rule.percent } }
      : { when: rule.when.map(toCondition), serve: true },
  )

const fromEntries = <T>(flags: readonly PeerFlag[], of: (flag: PeerFlag) => T) =>
  Object.fromEntries(flags.map((flag) => [flag.key, of(flag)]))

const base = {
  sdk: '@signalbox/config',
  encode: (flags: readonly PeerFlag[]) =>
    JSON.stringify({
      format: 1,
      version: 1,
      schemaId,
      environmentId,
      public: {},
      secret: {},
      featureFlags: fromEntries(flags, ({ on }) => on),
      flagRules: fromEntries(
        flags.filter(({ rules }) => rules.length > 0),
        toRules,
      ),
    }),
}

async function openClient(text: string) {
  const { createConfigClient } = await import('@signalbox/config/client')
  const client = createConfigClient({
    serverUrl: 'http://127.0.0.1:1',
    token: `sbx_m2m_${'b'.repeat(46)}`,
    schemaId,
    environmentId,
    refresh: false,
    fetch: () => Promise.resolve(answerOf(text)),
  })
  await client.ready()
  return client
}

const setup = 'its `fetch` is answered with the snapshot; no stream, no polling'

export const signalbox: Product = {
  ...base,
  name: 'Signalbox',
  setup: `\`client.snapshot().flag()\`; ${setup}`,
  async open(text) {
    const client = await openClient(text)
    return ({ id, ...rest }) => {
      const context = { targetingKey: id, ...rest }
      return () => (key) => client.snapshot().flag(key, context)
    }
  },
}

export const signalboxWaiting: Product = {
  ...base,
  name: 'Signalbox, awaited',
  setup: `\`await client.flag()\`; ${setup}`,
  async open(text) {
    const client = await openClient(text)
    return ({ id, ...rest }) => {
      const context = { targetingKey: id, ...rest }
      return () => (key) => client.flag(key, context)
    }
  },
}
