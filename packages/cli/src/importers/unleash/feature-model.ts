import { ExportError, requireEnvironment, type ReadOptions } from '../importer.ts'
import {
  isObject,
  parseJson,
  readList,
  readText,
  requireObject,
  type JsonObject,
} from '../read-json.ts'

/** Describes an environment of Unleash under our name for it, with its features as clients get them. */
export interface UnleashEnvironment {
  readonly name: string
  readonly features: ReadonlyMap<string, JsonObject>
}

export interface UnleashExport {
  readonly features: ReadonlyMap<string, JsonObject>
  readonly environments: readonly UnleashEnvironment[]
  readonly segments: ReadonlyMap<string, JsonObject>
}

const forms =
  'Use the response of GET /api/client/features, or that of POST /api/admin/features-batch/export.'

/** Reads both forms: what clients get, and the export of the admin API. @throws {ExportError} */
export function readUnleash(text: string, options: ReadOptions): UnleashExport {
  const root = parseJson(text)
  if (!isObject(root) || !Array.isArray(root['features'])) {
    throw new ExportError(`This is no export of Unleash: "features" is missing. ${forms}`)
  }
  const features = toFeatures(root['features'])
  const segments = new Map(
    readList(root['segments'], 'segments')
      .filter(isObject)
      .map((segment) => [String(segment['id']), segment]),
  )
  const environments = Array.isArray(root['featureEnvironments'])
    ? toEnvironments(root, features, options)
    : [{ name: requireEnvironment(options), features }]
  return { features, environments, segments }
}

function toFeatures(list: readonly unknown[]): ReadonlyMap<string, JsonObject> {
  const features = new Map<string, JsonObject>()
  for (const [index, value] of list.entries()) {
    const feature = requireObject(value, `features[${index}]`)
    const name = readText(feature['name'], `features[${index}].name`)
    if (name === '') throw new ExportError(`features[${index}].name is missing.`)
    if (features.has(name)) throw new ExportError(`features[${index}] is ${name} a second time.`)
    features.set(name, feature)
  }
  return features
}

/** Puts the features of an admin export together as clients get them, for each environment. */
function toEnvironments(
  root: JsonObject,
  features: ReadonlyMap<string, JsonObject>,
  { environments: names }: ReadOptions,
): UnleashEnvironment[] {
  const states = readList(root['featureEnvironments'], 'featureEnvironments').filter(isObject)
  const strategies = readList(root['featureStrategies'], 'featureStrategies').filter(isObject)
  const dependencies = readList(root['dependencies'], 'dependencies').filter(isObject)
  const theirs = [
    ...new Set(states.map((state) => readText(state['environment'], 'featureEnvironments'))),
  ]
  return theirs.map((environment) => ({
    name: names.get(environment) ?? environment,
    features: new Map(
      states
        .filter((state) => state['environment'] === environment)
        .map((state) => {
          const name = readText(state['featureName'] ?? state['name'], 'featureEnvironments')
          const own = strategies.filter(
            (one) => one['environment'] === environment && one['featureName'] === name,
          )
          const parents = dependencies.find((one) => one['feature'] === name)
          return [
            name,
            {
              ...features.get(name),
              enabled: state['enabled'],
              variants: state['variants'],
              strategies: own.filter((one) => one['disabled'] !== true),
              dependencies: parents?.['dependencies'],
            },
          ] as const
        }),
    ),
  }))
}
