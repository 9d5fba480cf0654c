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
} from '../importer.ts'
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
  readonly environment: UnleashEnvironment
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
  const context = { segments, issues }
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
  { features, name: environment }: UnleashEnvironment,
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
