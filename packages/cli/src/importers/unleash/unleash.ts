import type { ServedVariant } from '@signalbox/contract'
import { always, readEach, type Step } from '../alternatives.ts'
import {
  requireVariable,
  type ImportedKey,
  type Importer,
  type ReadExport,
  type ReadOptions,
  type TokenAccess,
} from '../importer.ts'
import { toContentKeys } from '../content-key.ts'
import { done, Issues, leaveOut } from '../issues.ts'
import { toFlagKey } from '../one-environment.ts'
import { isObject, readList, readText, requireObject, type JsonObject } from '../read-json.ts'
import { readUnleash, type UnleashEnvironment } from './feature-model.ts'
import { readStrategy } from './strategies.ts'
import { listPayloads, readVariants, toVariantSteps } from './variants.ts'

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
): readonly ImportedKey[] {
  const issues = new Issues()
  if (summary['stale'] === true) {
    issues.low('UN-T001', 'The flag is stale.', 'It is imported anyway.')
  }
  const variants = readVariants(name, environments, issues)
  const hasVariants = variants !== undefined
  const targeted = environments.flatMap((environment) => {
    const feature = environment.features.get(name)
    if (feature === undefined) return []
    const around = { environment, segments, issues, hasVariants }
    return [{ environment: environment.name, steps: readSteps(name, feature, around), rest: false }]
  })
  const description = typeof summary['description'] === 'string' ? summary['description'] : ''
  const names = { key: name, from: name, ...(description !== '' && { description }) }
  const payloads = hasVariants ? listPayloads(name, environments) : []
  const contents = toContentKeys(names, payloads, { word: 'payloads', code: 'UN-T025' }, issues)
  return [toFlagKey(names, targeted, issues, variants), ...contents]
}

interface StateOf {
  readonly environment: UnleashEnvironment
  readonly segments: ReadonlyMap<string, JsonObject>
  readonly issues: Issues
  readonly hasVariants: boolean
}

/** Returns for whom the flag is on in an environment. It is off for all others. */
function readSteps(
  name: string,
  feature: JsonObject,
  { environment, segments, issues, hasVariants }: StateOf,
): Step<boolean | ServedVariant>[] {
  const path = `features.${name}`
  const strategies = readList(feature['strategies'], `${path}.strategies`).map((strategy, index) =>
    requireObject(strategy, `${path}.strategies[${index}]`),
  )
  if (feature['enabled'] !== true) {
    if (strategies.length > 0) {
      const cause = 'The flag is switched off; its strategies wait there.'
      const action = 'The value is off. The strategies are not imported.'
      issues.low(`UN-T003 ${environment.name}`, cause, action, environment.name)
    }
    return []
  }
  if (!areParentsMet(name, feature, environment, issues)) return []
  const toSteps = (step: Step<true>, own: string, strategy?: JsonObject) =>
    hasVariants
      ? toVariantSteps({ name, feature, ...(strategy && { strategy }), path: own, ...step, issues })
      : [step]
  if (strategies.length === 0) return toSteps({ test: always, serve: true }, path)
  return strategies.flatMap((strategy, index) => {
    const own = `${path}.strategies[${index}]`
    const test = readStrategy(strategy, own, { segments, issues })
    const description = typeof strategy['title'] === 'string' ? strategy['title'] : undefined
    return toSteps({ test, serve: true, description }, own, strategy)
  })
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
