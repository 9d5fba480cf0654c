import { readNamespace, type FliptNamespace } from '../flipt/flipt.ts'
import { isObject, readList, readText, requireObject, type JsonObject } from '../read-json.ts'
import { splitContext, type Judge } from './judge.ts'

interface Request {
  readonly flagKey: string
  readonly entityId: string
  readonly context: Readonly<Record<string, string>>
}

interface Client {
  evaluateBoolean(request: Request): { readonly enabled: boolean }
  evaluateVariant(request: Request): { readonly variantKey: string }
  close(): void
}

/** Describes what is used of the SDK. */
interface Sdk {
  FliptClient: { init(options: object): Promise<Client> }
}

/** Decides with the client-side evaluator of Flipt, which gets the export as a snapshot of its server. */
export const fliptJudge: Judge = {
  packages: ['@flipt-io/flipt-client-js'],
  async open(load, text, options) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SDK is the project's; a missing class is reported
    const { FliptClient } = load('@flipt-io/flipt-client-js') as Sdk
    const snapshot = toSnapshot(readNamespace(text, options))
    const client = await openQuietly(() =>
      FliptClient.init({
        namespace: 'default',
        updateInterval: 0,
        fetcher: () => Promise.resolve(Response.json(snapshot)),
      }),
    )
    return {
      decide({ key }, context) {
        const { id, rest } = splitContext(context)
        // The evaluator refuses to decide for nobody.
        if (id === undefined || id === '') return null
        const request = { flagKey: key.from, entityId: id, context: toTexts(rest) }
        return key.tier === 'featureFlags'
          ? client.evaluateBoolean(request).enabled
          : client.evaluateVariant(request).variantKey
      },
      close() {
        client.close()
      },
    }
  },
}

/** Its WebAssembly warns on the console of how the SDK itself starts it. */
async function openQuietly<Result>(open: () => Promise<Result>): Promise<Result> {
  const { warn } = console
  // oxlint-disable-next-line no-console -- it is silenced, not written to
  console.warn = () => undefined
  try {
    return await open()
  } finally {
    // oxlint-disable-next-line no-console -- as above
    console.warn = warn
  }
}

/** Contexts of Flipt hold texts alone. An application sends numbers and booleans as these. */
function toTexts(rest: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(rest).flatMap(([name, value]) => {
    if (value === null || value === undefined) return []
    return [[name, typeof value === 'string' ? value : JSON.stringify(value)] as const]
  })
  return Object.fromEntries(entries)
}

/** Returns a namespace as the server of Flipt answers it to evaluators. */
function toSnapshot({ flags, segments }: FliptNamespace): object {
  return {
    namespace: { key: 'default' },
    flags: flags.map((entry, index) => {
      const flag = requireObject(entry, `flags[${index}]`)
      const variants = readList(flag['variants'], `flags[${index}].variants`).filter(isObject)
      const fallback = variants.find((variant) => variant['default'] === true)
      const rollouts = readList(flag['rollouts'], `flags[${index}].rollouts`).filter(isObject)
      return {
        key: flag['key'],
        name: flag['name'] ?? flag['key'],
        description: '',
        enabled: flag['enabled'] === true,
        type: flag['type'] ?? 'VARIANT_FLAG_TYPE',
        rules: readList(flag['rules'], `flags[${index}].rules`)
          .filter(isObject)
          .map((rule, at) => toRule(rule, at + 1, segments)),
        rollouts: rollouts.map((rollout, at) => toRollout(rollout, at + 1, segments)),
        ...(fallback !== undefined && {
          defaultVariant: { id: fallback['key'], key: fallback['key'], attachment: '' },
        }),
      }
    }),
  }
}

function toRollout(
  { threshold, segment }: JsonObject,
  rank: number,
  segments: ReadonlyMap<string, JsonObject>,
): object {
  if (isObject(threshold)) {
    const { percentage = 0, value = false } = threshold
    return { type: 'THRESHOLD_ROLLOUT_TYPE', rank, threshold: { percentage, value } }
  }
  const { value = false, ...named } = requireObject(segment, 'segment')
  return {
    type: 'SEGMENT_ROLLOUT_TYPE',
    rank,
    segment: { value, ...toSegments(named, segments) },
  }
}

function toRule(
  { segment, segments: keys, operator, distributions }: JsonObject,
  rank: number,
  segments: ReadonlyMap<string, JsonObject>,
): object {
  return {
    id: String(rank),
    rank,
    ...toSegments(isObject(segment) ? segment : { key: segment, keys, operator }, segments),
    distributions: readList(distributions, 'distributions')
      .filter(isObject)
      .map(({ variant, rollout = 0 }) => ({
        id: variant,
        ruleId: String(rank),
        variantKey: variant,
        variantAttachment: '',
        rollout,
      })),
  }
}

function toSegments(
  { key, keys, operator }: JsonObject,
  segments: ReadonlyMap<string, JsonObject>,
): object {
  const names = Array.isArray(keys) && keys.length > 0 ? keys : [key]
  return {
    segmentOperator: operator ?? 'OR_SEGMENT_OPERATOR',
    segments: names.map((name) => toSegment(String(name), segments.get(String(name)) ?? {})),
  }
}

/** Servers name the types of an export otherwise. Example: `STRING_COMPARISON_TYPE`, `STRING_CONSTRAINT_COMPARISON_TYPE`. */
function toSegment(key: string, segment: JsonObject): object {
  const matchType = readText(segment['match_type'], `segments.${key}.match_type`)
  return {
    key,
    matchType: matchType === 'ANY_MATCH_TYPE' ? 'ANY_SEGMENT_MATCH_TYPE' : 'ALL_SEGMENT_MATCH_TYPE',
    constraints: readList(segment['constraints'], `segments.${key}.constraints`)
      .filter(isObject)
      .map(({ type, property, operator, value = '' }) => ({
        type: String(type).replace('_COMPARISON_TYPE', '_CONSTRAINT_COMPARISON_TYPE'),
        property,
        operator,
        value,
      })),
  }
}
