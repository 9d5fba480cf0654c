import type { EvaluationContext } from '@signalbox/contract'
import { readLaunchDarkly, type TargetedEnvironment } from '../launchdarkly/flag-model.ts'
import { nest, silent, splitContext, type Judge, type OpenJudge } from './judge.ts'

interface Client {
  waitForInitialization(options: object): Promise<unknown>
  variation(key: string, context: object, fallback: unknown): Promise<unknown>
  close(): void
}

interface TestData {
  getFactory(): unknown
  usePreconfiguredFlag(flag: object): Promise<unknown>
  usePreconfiguredSegment(segment: object): Promise<unknown>
}

/** Decides with the server-side SDK of LaunchDarkly, which its own source of test data feeds. */
export const launchdarklyJudge: Judge = {
  packages: ['@launchdarkly/node-server-sdk'],
  async open(load, text, options) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SDK is the project's; a missing function is reported
    const sdk = load('@launchdarkly/node-server-sdk') as {
      init: (key: string, options: object) => Client
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
    const { TestData } = load('@launchdarkly/node-server-sdk/integrations') as {
      TestData: new () => TestData
    }
    const clients = new Map<string, Client>()
    for (const environment of readLaunchDarkly(text, options).environments) {
      const data = new TestData()
      const client = sdk.init('sdk-none', {
        updateProcessor: data.getFactory(),
        sendEvents: false,
        diagnosticOptOut: true,
        logger: silent,
      })
      await client.waitForInitialization({ timeout: 10 })
      await feed(data, environment)
      clients.set(environment.name, client)
    }
    const kinds = findKinds(text)
    return toJudge(clients, (context) => toTheirs(context, kinds))
  },
}

async function feed(data: TestData, { flags, segments }: TargetedEnvironment): Promise<void> {
  for (const [key, segment] of segments ?? []) {
    await data.usePreconfiguredSegment({ version: 1, ...segment, key })
  }
  for (const [key, { variations, content }] of flags) {
    await data.usePreconfiguredFlag({ version: 1, ...content, key, variations })
  }
}

function toJudge(
  clients: ReadonlyMap<string, Client>,
  toContext: (context: EvaluationContext) => object,
): OpenJudge {
  return {
    decide: ({ key, environment }, context) =>
      clients.get(environment)?.variation(key.from, toContext(context), null) ?? null,
    close() {
      for (const client of clients.values()) client.close()
    },
  }
}

/** Lists the kinds of contexts that an export asks for, other than users. */
function findKinds(text: string): readonly string[] {
  const kinds = [...text.matchAll(/"(?:contextKind|rolloutContextKind)"\s*:\s*"([\w.-]+)"/g)]
  return [...new Set(kinds.map(([, kind = '']) => kind))].filter((kind) => kind !== 'user')
}

/**
 * Returns a context as LaunchDarkly has it: attributes named as paths become objects, and those that begin with a kind become
 * a context of that kind. Example: `{ "targetingKey": "u1", "org": "acme", "org.plan": "pro" }`.
 */
function toTheirs(context: EvaluationContext, kinds: readonly string[]): object {
  const { id, rest } = splitContext(context)
  const kindOf = (name: string) =>
    kinds.find((kind) => name === kind || name.startsWith(`${kind}.`))
  const parts = kinds.flatMap((kind) => {
    const own = Object.entries(rest).filter(([name]) => kindOf(name) === kind)
    const attributes = own.map(([name, value]) => [name.slice(kind.length + 1), value] as const)
    const key = attributes.find(([name]) => name === '')?.[1]
    if (typeof key !== 'string' && typeof key !== 'number') return []
    const others = attributes.filter(([name]) => name !== '')
    return [[kind, { ...toAttributes(others), key: String(key) }] as const]
  })
  const user = toAttributes(Object.entries(rest).filter(([name]) => kindOf(name) === undefined))
  const own = id === undefined ? user : { ...user, key: id }
  if (parts.length === 0) return { kind: 'user', ...own }
  return { kind: 'multi', ...(id !== undefined && { user: own }), ...Object.fromEntries(parts) }
}

function toAttributes(entries: readonly (readonly [string, unknown])[]) {
  return nest(
    entries.map(([name, value]) => [name.startsWith('/') ? toPath(name) : [name], value] as const),
  )
}

function toPath(reference: string): string[] {
  const parts = reference.slice(1).split('/')
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
