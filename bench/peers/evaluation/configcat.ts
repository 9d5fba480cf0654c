import type { PeerCondition, PeerFlag, PeerRule } from '../flags.ts'
import { loadSdk, type Product } from '../product.ts'

interface Client {
  forceRefreshAsync(): Promise<unknown>
  snapshot(): { getValue(key: string, fallback: boolean, user: object): boolean }
}

interface Sdk {
  readonly getClient: (key: string, mode: unknown, options: object) => Client
  PollingMode: Readonly<Record<string, unknown>>
  User: new (id: string, email: string, country: string, custom: object) => object
}

/** The numbers of its comparators: the text is, ends with, the number is greater or equal. */
const comparators = { isOneOf: 0, endsWithAnyOf: 32, atLeast: 15 }
const names = { plan: 'plan', country: 'Country', email: 'Email', seats: 'seats' }

function toCondition(condition: PeerCondition) {
  const a = names[condition.attribute]
  if ('oneOf' in condition) return { u: { a, c: comparators.isOneOf, l: condition.oneOf } }
  if ('endsWith' in condition)
    return { u: { a, c: comparators.endsWithAnyOf, l: [condition.endsWith] } }
  return { u: { a, c: comparators.atLeast, d: condition.atLeast } }
}

function toSetting({ key, on, rules }: PeerFlag) {
  const serve = (value: boolean) => ({ v: { b: value }, i: `${key}${value}` })
  const shares = (rule: PeerRule) =>
    'percent' in rule
      ? [
          { p: rule.percent, ...serve(true) },
          { p: 100 - rule.percent, ...serve(false) },
        ]
      : []
  return {
    t: 0,
    ...serve(on),
    r: rules.flatMap((rule) =>
      'when' in rule ? [{ c: rule.when.map(toCondition), s: serve(true) }] : [],
    ),
    p: rules.flatMap(shares),
  }
}

export const configcat: Product = {
  name: 'ConfigCat',
  sdk: 'configcat-node',
  setup: '`client.snapshot().getValue()`; offline, with the config JSON in its cache; no log',
  encode: (flags) =>
    JSON.stringify({
      p: { u: 'http://127.0.0.1:1', r: 0, s: 'salt' },
      f: Object.fromEntries(flags.map((flag) => [flag.key, toSetting(flag)])),
    }),
  async open(text) {
    const { getClient, PollingMode, User } = await loadSdk<Sdk>(this.sdk)
    const cached = `${Date.now()}\n"1"\n${text}`
    const sdkKey = `${'a'.repeat(22)}/${'b'.repeat(22)}`
    const client = getClient(sdkKey, PollingMode['ManualPoll'], {
      offline: true,
      logger: null,
      cache: { get: () => cached, set() {} },
    })
    await client.forceRefreshAsync()
    return ({ id, email, country, ...custom }) => {
      const user = new User(id, email, country, custom)
      return () => {
        const snapshot = client.snapshot()
        return (key) => snapshot.getValue(key, false, user)
      }
    }
  },
}
