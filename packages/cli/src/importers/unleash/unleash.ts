import type { ImportIssue } from '@signalbox/contract'
import { readEach, toFlag } from '../alternatives.ts'
import {
  ExportError,
  LeftOut,
  type ImportedKey,
  type Importer,
  type ReadExport,
  type ReadOptions,
  type TokenAccess,
  requireEnvironment,
} from '../importer.ts'
import {
  isObject,
  parseJson,
  readList,
  readText,
  requireObject,
  type JsonObject,
} from '../read-json.ts'
import { readStrategy } from './strategies.ts'

/** Reads flags of Unleash: what `GET /api/client/features` answers, or an export of the admin API. */
export const unleash: Importer = {
  source: 'unleash',
  fromFile: readExport,
  fromToken: readWithToken,
}

interface Environment {
  readonly name: string
  readonly features: ReadonlyMap<string, JsonObject>
}

const forms =
  'Give the response of GET /api/client/features, or that of POST /api/admin/features-batch/export.'

function readExport(text: string, options: ReadOptions): ReadExport {
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
  const entries = [...features].map(
    ([name, summary]) =>
      [name, () => readFeature(name, summary, { environments, segments })] as const,
  )
  return readEach(entries, 'UN-T018')
}

function toFeatures(list: readonly unknown[]): ReadonlyMap<string, JsonObject> {
  return new Map(
    list.map((value, index) => {
      const feature = requireObject(value, `features[${index}]`)
      const name = readText(feature['name'], `features[${index}].name`)
      if (name === '') throw new ExportError(`features[${index}].name is missing.`)
      return [name, feature]
    }),
  )
}

/** Puts the features of an admin export together as clients get them, for each environment. */
function toEnvironments(
  root: JsonObject,
  features: ReadonlyMap<string, JsonObject>,
  { environments: names }: ReadOptions,
): Environment[] {
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

interface Around {
  readonly environments: readonly Environment[]
  readonly segments: ReadonlyMap<string, JsonObject>
}

function readFeature(
  name: string,
  summary: JsonObject,
  { environments, segments }: Around,
): ImportedKey {
  const issues = new Map<string, ImportIssue>()
  if (summary['stale'] === true) {
    issues.set('UN-T001', {
      code: 'UN-T001',
      severity: 'low',
      cause: 'The flag is stale.',
      done: 'It is imported anyway.',
    })
  }
  const values = environments.flatMap((environment) => {
    const feature = environment.features.get(name)
    if (feature === undefined) return []
    const { value, rules } = readState(name, feature, { environment, segments, issues })
    return [{ environment: environment.name, value, ...(rules.length > 0 && { rules }) }]
  })
  const description = typeof summary['description'] === 'string' ? summary['description'] : ''
  const isExact = [...issues.values()].every(({ severity }) => severity === 'low')
  return {
    key: name,
    from: name,
    type: 'boolean',
    tier: 'featureFlags',
    ...(description !== '' && { description }),
    verdict: isExact ? 'exact' : 'differs',
    values,
    issues: [...issues.values()],
  }
}

interface StateOf {
  readonly environment: Environment
  readonly segments: ReadonlyMap<string, JsonObject>
  readonly issues: Map<string, ImportIssue>
}

function readState(name: string, feature: JsonObject, { environment, segments, issues }: StateOf) {
  const path = `features.${name}`
  const strategies = readList(feature['strategies'], `${path}.strategies`).map((strategy, index) =>
    requireObject(strategy, `${path}.strategies[${index}]`),
  )
  const hasVariants = [feature, ...strategies].some(
    ({ variants }) => Array.isArray(variants) && variants.length > 0,
  )
  if (hasVariants) {
    issues.set('UN-T020', {
      code: 'UN-T020',
      severity: 'high',
      cause: 'The flag has variants.',
      done: 'Whether it is on is imported. The variants are not.',
    })
  }
  if (feature['enabled'] !== true) {
    if (strategies.length > 0) {
      issues.set(`UN-T003 ${environment.name}`, {
        code: 'UN-T003',
        severity: 'low',
        cause: 'The flag is switched off; its strategies wait there.',
        done: 'The value is off. The strategies are not imported.',
        environment: environment.name,
      })
    }
    return { value: false, rules: [] }
  }
  if (!areParentsMet(name, feature, environment, issues)) return { value: false, rules: [] }
  if (strategies.length === 0) return { value: true, rules: [] }
  const context = { feature: name, segments, issues }
  const steps = strategies.map((strategy, index) => ({
    test: readStrategy(strategy, `${path}.strategies[${index}]`, context),
    serve: true,
    description: typeof strategy['title'] === 'string' ? strategy['title'] : undefined,
  }))
  return toFlag(steps, false)
}

/** Returns whether the flags that this one depends on are as it needs them, where they are the same for everyone. */
function areParentsMet(
  name: string,
  feature: JsonObject,
  { features, name: environment }: Environment,
  issues: Map<string, ImportIssue>,
): boolean {
  for (const dependency of readList(
    feature['dependencies'],
    `features.${name}.dependencies`,
  ).filter(isObject)) {
    const parent = readText(dependency['feature'], `features.${name}.dependencies`)
    const state = features.get(parent)
    const varies =
      isVarying(state) ||
      (Array.isArray(dependency['variants']) && dependency['variants'].length > 0)
    if (varies) {
      throw new LeftOut({
        code: 'UN-T021',
        severity: 'high',
        cause: `The flag depends on ${parent}, which is not the same for everyone in ${environment}.`,
        done: 'The flag is left out: rules cannot ask for other flags.',
      })
    }
    issues.set(`UN-T022 ${parent}`, {
      code: 'UN-T022',
      severity: 'medium',
      cause: `The flag depends on ${parent}, which is the same for everyone.`,
      done: 'What that means today is imported. Later changes of that flag do not reach this one.',
    })
    // A flag that is not there meets no dependency, whichever way round.
    if (state === undefined || (state['enabled'] === true) !== (dependency['enabled'] !== false))
      return false
  }
  return true
}

function isVarying(feature: JsonObject | undefined): boolean {
  if (feature === undefined || feature['enabled'] !== true) return false
  const hasParents = Array.isArray(feature['dependencies']) && feature['dependencies'].length > 0
  const strategies = Array.isArray(feature['strategies'])
    ? feature['strategies'].filter(isObject)
    : []
  const isPlain = strategies.every(
    ({ name, constraints, segments }) =>
      name === 'default' && isEmpty(constraints) && isEmpty(segments),
  )
  return hasParents || !isPlain
}

function isEmpty(value: unknown): boolean {
  return !Array.isArray(value) || value.length === 0
}

/** Reads what a backend client receives. The token is in UNLEASH_API_TOKEN and stays on this machine. */
async function readWithToken({ env, ask }: TokenAccess): Promise<string> {
  const [token, url] = [env['UNLEASH_API_TOKEN'] ?? '', env['UNLEASH_URL'] ?? '']
  if (token === '')
    throw new ExportError('UNLEASH_API_TOKEN is not set: a backend token of one environment.')
  if (url === '')
    throw new ExportError('UNLEASH_URL is not set. Example: https://unleash.example.com')
  const base = url.replace(/\/+$/, '').replace(/\/api$/, '')
  const headers = { authorization: token, 'unleash-client-spec': '5.2.0' }
  return JSON.stringify(await ask(`${base}/api/client/features`, headers))
}
