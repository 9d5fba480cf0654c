import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PeerCondition, PeerFlag } from '../flags.ts'
import { loadSdk, silent, type Product } from '../product.ts'

interface Client {
  waitForInitialization(options: object): Promise<unknown>
  boolVariation(key: string, context: object, fallback: boolean): Promise<boolean>
}

interface Sdk {
  readonly init: (key: string, options: object) => Client
}

interface Integrations {
  FileDataSourceFactory: new (options: object) => { getFactory(): unknown }
}

function toClause(condition: PeerCondition) {
  const { attribute } = condition
  const base = { contextKind: 'user', attribute, negate: false }
  if ('oneOf' in condition) return { ...base, op: 'in', values: condition.oneOf }
  if ('endsWith' in condition) return { ...base, op: 'endsWith', values: [condition.endsWith] }
  return { ...base, op: 'greaterThanOrEqual', values: [condition.atLeast] }
}

function toFlag({ key, on, rules }: PeerFlag) {
  const percent = rules.find((rule) => 'percent' in rule)?.percent
  const weights = (share: number) => [
    { variation: 0, weight: share * 1_000 },
    { variation: 1, weight: 100_000 - share * 1_000 },
  ]
  return {
    key,
    version: 1,
    on: true,
    salt: key,
    variations: [true, false],
    offVariation: 1,
    fallthrough:
      percent === undefined
        ? { variation: on ? 0 : 1 }
        : { rollout: { contextKind: 'user', variations: weights(percent) } },
    rules: rules.flatMap((rule, at) =>
      'when' in rule ? [{ id: `${at}`, variation: 0, clauses: rule.when.map(toClause) }] : [],
    ),
    targets: [],
    prerequisites: [],
  }
}

export const launchdarkly: Product = {
  name: 'LaunchDarkly',
  sdk: '@launchdarkly/node-server-sdk',
  setup: '`await client.boolVariation()`; its source of data is a file; no events, no diagnostics',
  encode: (flags) =>
    JSON.stringify({
      flags: Object.fromEntries(flags.map((flag) => [flag.key, toFlag(flag)])),
      segments: {},
    }),
  async open(text) {
    const { init } = await loadSdk<Sdk>(this.sdk)
    const { FileDataSourceFactory } = await loadSdk<Integrations>(`${this.sdk}/integrations`)
    const directory = await mkdtemp(join(tmpdir(), 'signalbox-bench-'))
    const path = join(directory, 'flags.json')
    await writeFile(path, text)
    const client = init('sdk-none', {
      updateProcessor: new FileDataSourceFactory({ paths: [path] }).getFactory(),
      sendEvents: false,
      diagnosticOptOut: true,
      logger: silent,
    })
    await client.waitForInitialization({ timeout: 10 })
    await rm(directory, { recursive: true })
    return ({ id, ...rest }) => {
      const context = { kind: 'user', key: id, ...rest }
      return () => (key) => client.boolVariation(key, context, false)
    }
  },
}
