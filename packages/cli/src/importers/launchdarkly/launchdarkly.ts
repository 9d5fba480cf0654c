import type { ImportIssue } from '@signalbox/contract'
import { readEach, toFlag } from '../alternatives.ts'
import type { Importer, ImportedKey, LeftOutKey, ReadExport, ReadOptions } from '../importer.ts'
import {
  readLaunchDarkly,
  type FlagSummary,
  type LaunchDarklyExport,
  type TargetedFlag,
} from './flag-model.ts'
import { readWithToken } from './read-with-token.ts'
import { readTargeting, type Targeting } from './targeting.ts'

/** Reads flags of LaunchDarkly: the list of its REST API, or what its SDKs receive. */
export const launchdarkly: Importer = {
  source: 'launchdarkly',
  fromFile: readExport,
  tokenVariable: 'LAUNCHDARKLY_API_TOKEN',
  fromToken: readWithToken,
}

function readExport(text: string, options: ReadOptions): ReadExport {
  const read = readLaunchDarkly(text, options)
  return readEach(
    read.summaries.map((summary) => [summary.key, () => readFlag(summary, read)] as const),
    'LD-T016',
  )
}

function readFlag(
  summary: FlagSummary,
  { environments }: LaunchDarklyExport,
): ImportedKey | LeftOutKey {
  const { key } = summary
  if (summary.isOver) {
    return {
      from: key,
      issues: [
        {
          code: 'LD-T001',
          severity: 'low',
          cause: 'The flag is archived or deprecated.',
          done: 'It is left out.',
        },
      ],
    }
  }
  const issues = new Map<string, ImportIssue>()
  const targetings = environments.flatMap((environment) => {
    const flag = environment.flags.get(key)
    return flag === undefined
      ? []
      : [{ name: environment.name, flag, targeting: readTargeting(flag, environment, issues) }]
  })
  const isBoolean = targetings.every(({ flag }) =>
    flag.variations.every((value) => typeof value === 'boolean'),
  )
  const common = {
    key,
    from: key,
    ...(summary.description !== '' && { description: summary.description }),
    ...(summary.tags.length > 0 && { tags: [...summary.tags] }),
  }
  if (!isBoolean) return readMultivariate(common, targetings, issues)
  const values = targetings.map(({ name, flag, targeting }) => {
    const serve = (variation: number) => flag.variations[variation] === true
    const steps = targeting.steps.map(({ test, variation, description }) => {
      return { test, serve: serve(variation), description }
    })
    const { value, rules } = toFlag(steps, serve(targeting.rest))
    return { environment: name, value, ...(rules.length > 0 && { rules }) }
  })
  return {
    ...common,
    type: 'boolean',
    tier: 'featureFlags',
    verdict: toVerdict(issues),
    values,
    issues: [...issues.values()],
  }
}

function toVerdict(issues: ReadonlyMap<string, ImportIssue>): ImportedKey['verdict'] {
  return [...issues.values()].some(({ severity }) => severity !== 'low') ? 'differs' : 'exact'
}

interface Targeted {
  readonly name: string
  readonly flag: TargetedFlag
  readonly targeting: Targeting
}

/** Reads a flag of texts, numbers or JSON: a public key, where it is the same for everyone. */
function readMultivariate(
  common: Pick<ImportedKey, 'key' | 'from' | 'description' | 'tags'>,
  targetings: readonly Targeted[],
  issues: Map<string, ImportIssue>,
): ImportedKey | LeftOutKey {
  const targeted = targetings.find(({ targeting }) => targeting.steps.length > 0)
  if (targeted !== undefined) {
    const cause = `The flag has other variations than true and false, and serves several of them in ${targeted.name}.`
    const done = 'It is left out: rules serve true or false.'
    return { from: common.from, issues: [{ code: 'LD-T020', severity: 'high', cause, done }] }
  }
  const served = targetings.map(({ name, flag, targeting }) => ({
    environment: name,
    value: flag.variations[targeting.rest],
  }))
  const isNumber = served.every(({ value }) => typeof value === 'number')
  const isText = served.every(({ value }) => typeof value === 'string')
  issues.set('LD-T021', {
    code: 'LD-T021',
    severity: 'low',
    cause: 'The flag has other variations than true and false, and is the same for everyone.',
    done:
      isNumber || isText
        ? 'It becomes a public key.'
        : 'It becomes a public key that holds JSON as text.',
  })
  const values = served.map(({ environment, value }) => ({
    environment,
    value: (isNumber || isText) && isPlain(value) ? value : JSON.stringify(value),
  }))
  return {
    ...common,
    type: isNumber ? 'number' : 'string',
    tier: 'public',
    verdict: toVerdict(issues),
    values,
    issues: [...issues.values()],
  }
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
