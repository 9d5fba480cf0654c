import { ExportError, requireEnvironment, type ReadOptions } from '../importer.ts'
import { isObject, parseJson, readList, requireObject, type JsonObject } from '../read-json.ts'

/** Describes a flag of LaunchDarkly in one environment, as its SDKs receive it. */
export interface TargetedFlag {
  readonly path: string
  readonly key: string
  readonly variations: readonly unknown[]
  readonly content: JsonObject
}

/** Describes an environment of LaunchDarkly under our name for it. */
export interface TargetedEnvironment {
  readonly name: string
  readonly flags: ReadonlyMap<string, TargetedFlag>
  /** Absent: the export has no segments. */
  readonly segments: ReadonlyMap<string, JsonObject> | undefined
}

/** Describes a flag apart from its environments. */
export interface FlagSummary {
  readonly key: string
  readonly description: string
  readonly tags: readonly string[]
  readonly isOver: boolean
}

export interface LaunchDarklyExport {
  readonly summaries: readonly FlagSummary[]
  readonly environments: readonly TargetedEnvironment[]
}

const forms =
  'Use the response of GET /api/v2/flags/{project}?summary=0, that of GET /sdk/latest-all, or a file of flags for an SDK.'

/**
 * Reads what the REST API answers (a list, a bare one, or a single flag), and the data of one environment that SDKs receive or
 * read from a file. @throws {ExportError}
 */
export function readLaunchDarkly(text: string, options: ReadOptions): LaunchDarklyExport {
  const parsed = parseJson(text)
  const bare = [parsed].flat()
  const root = bare.some(isFlag) ? { items: bare } : parsed
  if (!isObject(root)) throw new ExportError(`This is no export of LaunchDarkly. ${forms}`)
  if (Array.isArray(root['items'])) return readFlagList(root, options)
  if (isObject(root['flags']) || isObject(root['flagValues'])) return readSdkData(root, options)
  throw new ExportError(
    `This is no export of LaunchDarkly: "items" and "flags" are missing. ${forms}`,
  )
}

function isFlag(parsed: unknown): boolean {
  return isObject(parsed) && 'variations' in parsed && 'environments' in parsed
}

function readSdkData(root: JsonObject, options: ReadOptions): LaunchDarklyExport {
  const environment = requireEnvironment(options)
  const entries = Object.entries(readSdkFlags(root)).map(([key, value]) => {
    const path = `flags.${key}`
    const content = requireObject(value, path)
    const variations = readList(content['variations'], `${path}.variations`)
    return [key, { path, key, variations, content }] as const
  })
  const segments = isObject(root['segments']) ? root['segments'] : {}
  const summaries = entries.map(([key, { content }]) => ({
    key,
    description: '',
    tags: [],
    isOver: content['deleted'] === true,
  }))
  const own = {
    name: environment,
    flags: new Map(entries),
    segments: toSegments(segments, 'segments'),
  }
  return { summaries, environments: [own] }
}

/** Returns the flags, with those of a file that only have a value: everyone gets it. @throws {ExportError} */
function readSdkFlags({ flags, flagValues }: JsonObject): JsonObject {
  const targeted = isObject(flags) ? flags : {}
  const values = Object.entries(isObject(flagValues) ? flagValues : {})
  const twice = values.find(([key]) => Object.hasOwn(targeted, key))
  if (twice !== undefined) {
    throw new ExportError(`flagValues.${twice[0]} is among the flags too. Remove one of the two.`)
  }
  const valued = values.map(([key, value]) => {
    const content = { variations: [value], on: true, fallthrough: { variation: 0 } }
    return [key, content] as const
  })
  return { ...targeted, ...Object.fromEntries(valued) }
}

/** Refuses the default answer of the REST API, which counts rules in place of listing them. @throws {ExportError} */
function requireTargeting(content: JsonObject, path: string): JsonObject {
  if (!isObject(content['_summary']) || isObject(content['fallthrough'])) return content
  throw new ExportError(
    `${path} has a summary (_summary) in place of its targeting. LaunchDarkly answers so unless it is asked for more: GET /api/v2/flags/{project}?summary=0.`,
  )
}

function readFlagList(root: JsonObject, { environments: names }: ReadOptions): LaunchDarklyExport {
  const items = readList(root['items'], 'items').map((item, index) =>
    requireObject(item, `items[${index}]`),
  )
  const environments = new Map<string, Map<string, TargetedFlag>>()
  for (const [index, item] of items.entries()) {
    const path = `items[${index}]`
    const key = keyOf(item, path)
    const variations = readList(item['variations'], `${path}.variations`).map((variation) =>
      isObject(variation) ? variation['value'] : variation,
    )
    for (const [name, value] of Object.entries(
      isObject(item['environments']) ? item['environments'] : {},
    )) {
      const own = `${path}.environments.${name}`
      const flags = environments.get(name) ?? new Map<string, TargetedFlag>()
      flags.set(key, {
        path: own,
        key,
        variations,
        content: requireTargeting(requireObject(value, own), own),
      })
      environments.set(name, flags)
    }
  }
  const summaries = items.map((item, index) => ({
    key: keyOf(item, `items[${index}]`),
    description: typeof item['description'] === 'string' ? item['description'] : '',
    tags: readList(item['tags'], `items[${index}].tags`).filter((tag) => typeof tag === 'string'),
    isOver: item['archived'] === true || item['deprecated'] === true,
  }))
  const segments = isObject(root['segments']) ? root['segments'] : {}
  return {
    summaries,
    environments: [...environments].map(([theirs, flags]) => ({
      name: names.get(theirs) ?? theirs,
      flags,
      segments: isObject(segments[theirs])
        ? toSegments(segments[theirs], `segments.${theirs}`)
        : undefined,
    })),
  }
}

function keyOf(item: JsonObject, path: string): string {
  const { key } = item
  if (typeof key === 'string' && key !== '') return key
  throw new ExportError(`${path}.key is missing.`)
}

function toSegments(segments: JsonObject, path: string): ReadonlyMap<string, JsonObject> {
  return new Map(
    Object.entries(segments).map(([key, value]) => [key, requireObject(value, `${path}.${key}`)]),
  )
}
