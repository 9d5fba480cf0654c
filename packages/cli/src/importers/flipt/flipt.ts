import { all, any, never, one, readEach, type Step } from '../alternatives.ts'
import {
  ExportError,
  type ImportedKey,
  type Importer,
  type ReadExport,
  type ReadOptions,
  requireEnvironment,
} from '../importer.ts'
import { done, Issues, leaveOut } from '../issues.ts'
import { toFlagKey, toFlagValue, toPublicKey } from '../one-environment.ts'
import { parseDocuments } from '../read-documents.ts'
import {
  isObject,
  readList,
  readNumber,
  readText,
  requireObject,
  type JsonObject,
} from '../read-json.ts'
import { readSegment } from './segments.ts'

/** Reads flags of Flipt: what `flipt export` writes, or a `features.yaml`, of one namespace. */
export const flipt: Importer = { source: 'flipt', fromFile: readExport }

const form = 'Use what flipt export writes, or a features.yaml.'

function readExport(text: string, options: ReadOptions): ReadExport {
  const { flags, segments } = readNamespace(text)
  const environment = requireEnvironment(options)
  const entries = flags.map((entry, index) => {
    const path = `flags[${index}]`
    const flag = requireObject(entry, path)
    const key = readText(flag['key'], `${path}.key`)
    if (key === '') throw new ExportError(`${path}.key is missing.`)
    return [key, () => readFlag(key, flag, { path, segments, environment })] as const
  })
  return readEach(entries, 'FL-T018')
}

/** Holds the flags and segments of one namespace. */
export interface FliptNamespace {
  readonly name: string
  readonly flags: readonly unknown[]
  readonly segments: ReadonlyMap<string, JsonObject>
}

/** Reads the one namespace of an export that has flags. @throws {ExportError} */
export function readNamespace(text: string): FliptNamespace {
  const namespaces = parseDocuments(text).flatMap((document): FliptNamespace[] => {
    if (!isObject(document)) throw new ExportError(`This is no export of Flipt. ${form}`)
    const { namespace } = document
    const name = isObject(namespace) ? namespace['key'] : namespace
    const flags = readList(document['flags'], 'flags')
    if (flags.length === 0) return []
    return [
      {
        name: readText(name ?? 'default', 'namespace'),
        flags,
        segments: toSegments(document['segments']),
      },
    ]
  })
  const [first] = namespaces
  if (first === undefined) {
    throw new ExportError(`This is no export of Flipt: "flags" is missing. ${form}`)
  }
  if (namespaces.length === 1) return first
  const names = namespaces.map(({ name }) => name)
  throw new ExportError(
    `The file has several namespaces: ${names.join(', ')}. Import one at a time: flipt export --namespaces ${first.name}`,
  )
}

function toSegments(value: unknown): ReadonlyMap<string, JsonObject> {
  return new Map(
    readList(value, 'segments').map((entry, index) => {
      const segment = requireObject(entry, `segments[${index}]`)
      return [readText(segment['key'], `segments[${index}].key`), segment]
    }),
  )
}

interface Around {
  readonly path: string
  readonly segments: ReadonlyMap<string, JsonObject>
  readonly environment: string
}

function readFlag(
  key: string,
  flag: JsonObject,
  { path, segments, environment }: Around,
): ImportedKey {
  const description = typeof flag['description'] === 'string' ? flag['description'] : ''
  const names = { key, from: key, ...(description !== '' && { description }) }
  if (flag['type'] !== 'BOOLEAN_FLAG_TYPE') return readVariant(names, flag, { path, environment })
  const issues = new Issues()
  const steps = readList(flag['rollouts'], `${path}.rollouts`).map((entry, index) => {
    const own = `${path}.rollouts[${index}]`
    return readRollout(requireObject(entry, own), own, { key, segments, issues })
  })
  return toFlagKey(names, [toFlagValue(environment, steps, flag['enabled'] === true)], issues)
}

interface RolloutContext {
  readonly key: string
  readonly segments: ReadonlyMap<string, JsonObject>
  readonly issues: Issues
}

function readRollout(rollout: JsonObject, path: string, context: RolloutContext): Step {
  const description = readText(rollout['description'], `${path}.description`)
  const { threshold, segment } = rollout
  if (isObject(threshold)) {
    const percentage = readNumber(threshold['percentage'] ?? 0, `${path}.threshold.percentage`)
    const percent = toPercent(percentage)
    const deal = { as: 'flipt', key: context.key } as const
    const share = { attribute: 'targetingKey', operator: 'share', percent, deal } as const
    const test = percent <= 0 ? never : one(share)
    return { test, serve: threshold['value'] === true, description }
  }
  const own = `${path}.segment`
  const object = requireObject(segment, own)
  const list = readList(object['keys'], `${own}.keys`)
  const keys = list.length > 0 ? list : [object['key']]
  const tests = keys.map((key) => readSegment(readText(key, `${own}.key`), own, context))
  const isEach = object['operator'] === 'AND_SEGMENT_OPERATOR'
  return { test: isEach ? all(tests) : any(tests), serve: object['value'] === true, description }
}

/** Returns a percentage with three decimals that has the same of the hundred steps below it. */
function toPercent(percentage: number): number {
  const rounded = Math.round(percentage * 1000) / 1000
  return Math.min(rounded === percentage ? percentage : Math.ceil(percentage), 100)
}

interface VariantContext {
  readonly path: string
  readonly environment: string
}

/** Reads a flag with variants: a public key, where everyone gets the default variant. */
function readVariant(
  names: Pick<ImportedKey, 'key' | 'from' | 'description'>,
  flag: JsonObject,
  { path, environment }: VariantContext,
): ImportedKey {
  const variants = readList(flag['variants'], `${path}.variants`).filter(isObject)
  const fallback = variants.find((variant) => variant['default'] === true)
  const hasRules = readList(flag['rules'], `${path}.rules`).length > 0
  if (hasRules && flag['enabled'] === true) {
    const cause = 'The flag has variants and rules.'
    throw leaveOut('FL-T020', cause, done.trueOrFalse)
  }
  if (fallback === undefined) {
    const cause =
      'The flag has variants, none of which is the default: each call has its own default.'
    throw leaveOut(
      'FL-T002',
      cause,
      'It is left out. Give it a default variant, then import again.',
    )
  }
  const variant = readText(fallback['key'], `${path}.variants.key`)
  const issues = new Issues()
  const { attachment } = fallback
  if (attachment !== undefined && attachment !== null) {
    const cause = 'The default variant has an attachment.'
    const action = 'The key of the variant is imported. The attachment is not.'
    issues.medium('FL-T022', cause, action)
  }
  return toPublicKey(names, 'FL-T021', [{ environment, value: variant }], issues)
}
