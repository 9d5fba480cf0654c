import { isObject, parseJson, readList, type JsonObject } from '../read-json.ts'
import { splitContext, type Judge } from './judge.ts'

interface Client {
  waitForLocalEvaluationReady(milliseconds: number): Promise<boolean>
  getAllFlags(id: string, options: object): Promise<Readonly<Record<string, boolean | string>>>
  shutdown(): Promise<void>
}

/** Decides with the Node SDK of PostHog, which gets the export as the definitions that it evaluates by itself. */
export const posthogJudge: Judge = {
  packages: ['posthog-node'],
  async open(load, text) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SDK is the project's; a missing class is reported
    const { PostHog } = load('posthog-node') as {
      PostHog: new (key: string, options: object) => Client
    }
    const root = parseJson(text)
    const {
      results,
      flags = results,
      ...definitions
    }: JsonObject = isObject(root) ? root : { results: root }
    const body = JSON.stringify({ group_type_mapping: {}, ...definitions, flags })
    const client = new PostHog('phc_compare', {
      // Nothing is asked there: the definitions are the export.
      host: 'http://127.0.0.1:9',
      personalApiKey: 'phx_compare',
      fetch: () => Promise.resolve(new Response(body, { status: 200 })),
    })
    await client.waitForLocalEvaluationReady(10_000)
    const absent = new Map(
      readList(flags, 'flags')
        .filter(isObject)
        .map((flag) => [flag['key'], listComparedNames([flag, definitions['cohorts']])] as const),
    )
    return {
      async decide({ key }, context) {
        const { id, rest } = splitContext(context)
        if (id === undefined || id === '') return null
        const { [key.from]: value } = await client.getAllFlags(id, {
          flagKeys: [key.from],
          personProperties: { ...absent.get(key.from), distinct_id: id, ...toTheirs(rest) },
          onlyEvaluateLocally: true,
        })
        if (value === undefined) return null
        return key.variants && value === false ? 'off' : value
      },
      close: () => client.shutdown(),
    }
  },
}

/**
 * Returns the properties that conditions compare, without a value. The SDK asks the server about a user who has no such property,
 * and the server takes it for one without a value. Names of which a condition asks whether they are there, or whether they are
 * true, stay absent.
 */
function listComparedNames(definitions: readonly unknown[]): Readonly<Record<string, null>> {
  const compared = new Map<string, boolean>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (!isObject(value)) return undefined
    const { key, operator, type } = value
    if (typeof key === 'string' && type === 'person') {
      const isTruth = [value['value']].flat().every((one) => /^(?:true|false)$/i.test(String(one)))
      const asksPresence = isTruth || operator === 'is_set' || operator === 'is_not_set'
      compared.set(key, !asksPresence && compared.get(key) !== false)
    }
    return Object.values(value).forEach(visit)
  }
  visit(definitions)
  const names = [...compared].flatMap(([name, isCompared]) => (isCompared ? [name] : []))
  return Object.fromEntries(names.map((name) => [name, null]))
}

/** Returns properties with whole numbers as texts, which the server compares alike. The SDK leaves whole numbers to the server. */
function toTheirs(rest: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(rest).map(([name, value]) => {
    return [name, Number.isInteger(value) ? String(value) : value] as const
  })
  return Object.fromEntries(entries)
}
