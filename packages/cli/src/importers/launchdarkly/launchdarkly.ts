import { readEach } from '../alternatives.ts'
import type { Importer, ImportedKey, LeftOutKey, ReadExport, ReadOptions } from '../importer.ts'
import { done, Issues, leaveOut } from '../issues.ts'
import { toFlagKey, toFlagValue, toPublicKey, type KeyNames } from '../one-environment.ts'
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
    const cause = 'The flag is archived or deprecated.'
    const issue = { code: 'LD-T001', severity: 'low', cause, done: 'It is left out.' } as const
    return { from: key, issues: [issue] }
  }
  const issues = new Issues()
  const targetings = environments.flatMap((environment) => {
    const flag = environment.flags.get(key)
    return flag === undefined
      ? []
      : [{ name: environment.name, flag, targeting: readTargeting(flag, environment, issues) }]
  })
  const isBoolean = targetings.every(({ flag }) =>
    flag.variations.every((value) => typeof value === 'boolean'),
  )
  const names = {
    key,
    from: key,
    ...(summary.description !== '' && { description: summary.description }),
    ...(summary.tags.length > 0 && { tags: [...summary.tags] }),
  }
  if (!isBoolean) return readMultivariate(names, targetings, issues)
  const values = targetings.map(({ name, flag, targeting }) => {
    const serve = (variation: number) => flag.variations[variation] === true
    const steps = targeting.steps.map(({ test, variation, description }) => {
      return { test, serve: serve(variation), description }
    })
    return toFlagValue(name, steps, serve(targeting.rest))
  })
  return toFlagKey(names, values, issues)
}

interface Targeted {
  readonly name: string
  readonly flag: TargetedFlag
  readonly targeting: Targeting
}

/** Reads a flag of texts, numbers or JSON: a public key, where it is the same for everyone. */
function readMultivariate(
  names: KeyNames,
  targetings: readonly Targeted[],
  issues: Issues,
): ImportedKey {
  const targeted = targetings.find(({ targeting }) => targeting.steps.length > 0)
  if (targeted !== undefined) {
    const cause = `The flag has other variations than true and false, and serves several of them in ${targeted.name}.`
    throw leaveOut('LD-T020', cause, done.trueOrFalse)
  }
  const served = targetings.map(({ name, flag, targeting }) => ({
    environment: name,
    value: flag.variations[targeting.rest],
  }))
  return toPublicKey(names, 'LD-T021', served, issues)
}
