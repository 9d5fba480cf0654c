import { readEach, type Step } from '../alternatives.ts'
import {
  requireVariable,
  type ImportedKey,
  type Importer,
  type ReadExport,
  type ReadOptions,
  type TokenAccess,
} from '../importer.ts'
import { done, Issues, leaveOut } from '../issues.ts'
import { toFlagKey, toFlagValue } from '../one-environment.ts'
import { isObject, readList, readText, requireObject, type JsonObject } from '../read-json.ts'
import { readUnleash, type UnleashEnvironment } from './feature-model.ts'
import { readStrategy } from './strategies.ts'

/** Reads flags of Unleash: what `GET /api/client/features` answers, or an export of the admin API. */
export const unleash: Importer = {
  source: 'unleash',
  fromFile: readExport,
  tokenVariable: 'UNLEASH_API_TOKEN',
  fromToken: readWithToken,
}

function readExport(text: string, options: ReadOptions): ReadExport {
  const { features, environments, segments } = readUnleash(text, options)
  const entries = [...features].map(
    ([name, summary]) =>
      [name, () => readFeature(name, summary, { environments, segments })] as const,
  )
  return readEach(entries, 'UN-T018')
}

interface Around {
  readonly environments: readonly UnleashEnvironment[]
  readonly segments: ReadonlyMap<string, JsonObject>
}

function readFeature(
  name: string,
  summary: JsonObject,
  { environments, segments }: Around,
): ImportedKey {
  const issues = new Issues()
  if (summary['stale'] === true) {
    issues.low('UN-T001', 'The flag is stale.', 'It is imported anyway.')
  }
  const values = environments.flatMap((environment) => {
    const feature = environment.features.get(name)
    if (feature === undefined) return []
    const { steps, rest } = readState(name, feature, { environment, segments, issues })
    return [toFlagValue(environment.name, steps, rest)]
  })
  const description = typeof summary['description'] === 'string' ? summary['description'] : ''
  const names = { key: name, from: name, ...(description !== '' && { description }) }
  return toFlagKey(names, values, issues)
}

interface StateOf {
  readonly environment: UnleashEnvironment
  readonly segments: ReadonlyMap<string, JsonObject>
  readonly issues: Issues
}

function readState(
  name: string,
  feature: JsonObject,
  { environment, segments, issues }: StateOf,
): { readonly steps: readonly Step[]; readonly rest: boolean } {
  const path = `features.${name}`
  const strategies = readList(feature['strategies'], `${path}.strategies`).map((strategy, index) =>
    requireObject(strategy, `${path}.strategies[${index}]`),
  )
  const hasVariants = [feature, ...strategies].some(
    ({ variants }) => Array.isArray(variants) && variants.length > 0,
  )
  if (hasVariants) {
    const cause = 'The flag has variants.'
    issues.high('UN-T020', cause, 'Whether it is on is imported. The variants are not.')
  }
  if (feature['enabled'] !== true) {
    if (strategies.length > 0) {
      const cause = 'The flag is switched off; its strategies wait there.'
      const action = 'The value is off. The strategies are not imported.'
      issues.low(`UN-T003 ${environment.name}`, cause, action, environment.name)
    }
    return { steps: [], rest: false }
  }
  if (!areParentsMet(name, feature, environment, issues)) return { steps: [], rest: false }
  if (strategies.length === 0) return { steps: [], rest: true }
  const context = { segments, issues }
  const steps = strategies.map((strategy, index) => ({
    test: readStrategy(strategy, `${path}.strategies[${index}]`, context),
    serve: true,
    description: typeof strategy['title'] === 'string' ? strategy['title'] : undefined,
  }))
  return { steps, rest: false }
}

/** Returns whether the flags that this one depends on are as it needs them, where they are the same for everyone. */
function areParentsMet(
  name: string,
  feature: JsonObject,
  { features, name: environment }: UnleashEnvironment,
  issues: Issues,
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
      const cause = `The flag depends on ${parent}, which is not the same for everyone in ${environment}.`
      throw leaveOut('UN-T021', cause, done.constantOnly)
    }
    const cause = `The flag depends on ${parent}, which is the same for everyone.`
    issues.medium(`UN-T022 ${parent}`, cause, done.prerequisite)
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
async function readWithToken(access: TokenAccess): Promise<string> {
  const what = 'a backend token of one environment'
  const token = requireVariable(access, 'UNLEASH_API_TOKEN', what)
  const url = requireVariable(access, 'UNLEASH_URL', 'such as https://unleash.example.com')
  const base = url.replace(/\/+$/, '').replace(/\/api$/, '')
  const headers = { authorization: token, 'unleash-client-spec': '5.2.0' }
  return JSON.stringify(await access.ask(`${base}/api/client/features`, headers))
}
