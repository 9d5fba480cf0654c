import { parseJsonText } from '@signalbox/contract'
import {
  all,
  any,
  divide,
  never,
  one,
  readEach,
  type Alternatives,
  type Step,
} from '../alternatives.ts'
import {
  ExportError,
  type ImportedKey,
  type Importer,
  type ReadExport,
  type ReadOptions,
  requireEnvironment,
} from '../importer.ts'
import { toContentKeys, type VariantContent } from '../content-key.ts'
import { Issues, leaveOut } from '../issues.ts'
import { toFlagKey, toPublicKey } from '../one-environment.ts'
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

/** Reads the flags of one namespace of Flipt: what `flipt export` writes, or a `features.yaml`. */
export const flipt: Importer = { source: 'flipt', fromFile: readExport }

const form = 'Use what flipt export writes, or a features.yaml.'

function readExport(text: string, options: ReadOptions): ReadExport {
  const { flags, segments } = readNamespace(text, options)
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

/** Reads the namespace that is named, or the only one that has flags. @throws {ExportError} with the names that there are */
export function readNamespace(
  text: string,
  { namespace: chosen }: Pick<ReadOptions, 'namespace'>,
): FliptNamespace {
  const namespaces = readNamespaces(text).filter(({ flags }) => flags.length > 0)
  const [first] = namespaces
  if (first === undefined) {
    throw new ExportError(`This is no export of Flipt: "flags" is missing. ${form}`)
  }
  const names = namespaces.map(({ name }) => name).join(', ')
  if (chosen !== undefined) {
    const named = namespaces.find(({ name }) => name === chosen)
    if (named !== undefined) return named
    throw new ExportError(`The file has no flags in the namespace ${chosen}. It has: ${names}.`)
  }
  if (namespaces.length === 1) return first
  throw new ExportError(
    `The file has several namespaces: ${names}. Import one at a time: signalbox import flipt --namespace ${first.name}`,
  )
}

/** Reads each namespace, which several documents may be about. */
function readNamespaces(text: string): FliptNamespace[] {
  const documents = parseDocuments(text).map((document): FliptNamespace => {
    if (!isObject(document)) throw new ExportError(`This is no export of Flipt. ${form}`)
    const { namespace } = document
    const name = isObject(namespace) ? namespace['key'] : namespace
    return {
      name: readText(name ?? 'default', 'namespace'),
      flags: readList(document['flags'], 'flags'),
      segments: toSegments(document['segments']),
    }
  })
  return [...Map.groupBy(documents, ({ name }) => name)].map(([name, parts]) => ({
    name,
    flags: parts.flatMap(({ flags }) => flags),
    segments: new Map(parts.flatMap(({ segments }) => [...segments])),
  }))
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
): readonly ImportedKey[] {
  const description = typeof flag['description'] === 'string' ? flag['description'] : ''
  const names = { key, from: key, ...(description !== '' && { description }) }
  const issues = new Issues()
  const own = { key, path, segments, issues }
  if (flag['type'] !== 'BOOLEAN_FLAG_TYPE') {
    const targeted = { environment, ...readVariants(flag, own) }
    const attachments = listAttachments(flag, environment)
    const words = { word: 'attachments', code: 'FL-T022' } as const
    const contents = toContentKeys(names, attachments, words, issues)
    return [toPublicKey(names, 'FL', [targeted], issues), ...contents]
  }
  const steps = readList(flag['rollouts'], `${path}.rollouts`).map((entry, index) => {
    const at = `${path}.rollouts[${index}]`
    return readRollout(requireObject(entry, at), { ...own, path: at })
  })
  return [toFlagKey(names, [{ environment, steps, rest: flag['enabled'] === true }], issues)]
}

interface FlagContext {
  readonly key: string
  readonly path: string
  readonly segments: ReadonlyMap<string, JsonObject>
  readonly issues: Issues
}

function readRollout(rollout: JsonObject, context: FlagContext): Step<boolean> {
  const { path } = context
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
  return { test: readSegments(object, own, context), serve: object['value'] === true, description }
}

/** Returns the test of `{ key }`, or of `{ keys, operator }`. */
function readSegments(object: JsonObject, path: string, context: FlagContext): Alternatives {
  const list = readList(object['keys'], `${path}.keys`)
  const keys = list.length > 0 ? list : [object['key']]
  const tests = keys.map((key) => readSegment(readText(key, `${path}.key`), path, context))
  return object['operator'] === 'AND_SEGMENT_OPERATOR' ? all(tests) : any(tests)
}

/** Returns a percentage with three decimals that has the same of the hundred steps below it. */
function toPercent(percentage: number): number {
  const rounded = Math.round(percentage * 1000) / 1000
  return Math.min(rounded === percentage ? percentage : Math.ceil(percentage), 100)
}

/** Lists the attachments of the variants of a flag: JSON, which an export may hold as text. */
function listAttachments(flag: JsonObject, environment: string): readonly VariantContent[] {
  return readList(flag['variants'], 'variants')
    .filter(isObject)
    .flatMap(({ key, attachment }) => {
      if (attachment === undefined || attachment === null || attachment === '') return []
      const parsed = typeof attachment === 'string' ? parseJsonText(attachment) : undefined
      const content = parsed !== undefined && 'value' in parsed ? parsed.value : attachment
      return [{ environment, variant: String(key), content }]
    })
}

/** Reads a flag with variants, whose keys are its values. */
function readVariants(
  flag: JsonObject,
  context: FlagContext,
): { readonly steps: readonly Step<string>[]; readonly rest: string } {
  const { path, issues } = context
  const variants = readList(flag['variants'], `${path}.variants`).filter(isObject)
  const fallback = variants.find((variant) => variant['default'] === true)
  const rules = flag['enabled'] === true ? readList(flag['rules'], `${path}.rules`) : []
  if (fallback === undefined && rules.length === 0) {
    const cause =
      'The flag has variants, none of which is the default: each call has its own default.'
    const action = 'It is left out. Give it a default variant, then import again.'
    throw leaveOut('FL-T002', cause, action)
  }
  if (fallback === undefined) {
    const cause = 'The flag has variants, none of which is the default.'
    issues.low('FL-T025', cause, 'A user whom no rule serves gets the empty text, as there.')
  }
  const rest = readText(fallback?.['key'], `${path}.variants.key`)
  const steps = rules.flatMap((entry, index) => {
    const own = `${path}.rules[${index}]`
    return readRule(requireObject(entry, own), rest, { ...context, path: own })
  })
  return { steps, rest }
}

/** Returns the steps of a rule. Whoever meets it and is in none of its shares gets the default, whatever rules follow. */
function readRule(rule: JsonObject, rest: string, context: FlagContext): Step<string>[] {
  const { key, path, issues } = context
  const { segment, segments: keys, operator } = rule
  const object = isObject(segment) ? segment : { key: segment, keys, operator }
  const test = readSegments(object, `${path}.segment`, context)
  const parts = readList(rule['distributions'], `${path}.distributions`).map((entry, index) => {
    const own = `${path}.distributions[${index}]`
    const part = requireObject(entry, own)
    const percent = readNumber(part['rollout'] ?? 0, `${own}.rollout`)
    return { serve: readText(part['variant'], `${own}.variant`), percent }
  })
  const tenths = parts.map(({ percent }) => percent * 10)
  const isWhole = tenths.every((tenth) => Math.abs(tenth - Math.round(tenth)) < 0.001)
  const total = tenths.reduce((sum, tenth) => sum + tenth, 0)
  if (parts.length > 0 && !(isWhole && Math.round(total) === 1000)) {
    const cause = 'A rule divides users by shares that don’t add up to 100, or are finer than 0.1%.'
    issues.medium('FL-T026', cause, 'The shares are kept. Some users get another variant.')
  }
  const deal = { as: 'flipt-variant', key } as const
  return [...divide(parts, { test, attribute: 'targetingKey', deal }), { test, serve: rest }]
}
