import { readEach } from '../alternatives.ts'
import type { Importer, ImportedKey, LeftOutKey, ReadExport, ReadOptions } from '../importer.ts'
import { Issues, leaveOut } from '../issues.ts'
import { toKey } from '../one-environment.ts'
import { readLaunchDarkly, type FlagSummary, type LaunchDarklyExport } from './flag-model.ts'
import { readWithToken } from './read-with-token.ts'
import { readTargeting } from './targeting.ts'

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
  const targeted = environments.flatMap((environment) => {
    const flag = environment.flags.get(key)
    if (flag === undefined) return []
    const { steps, rest } = readTargeting(flag, environment, issues)
    const valueOf = (variation: number) => {
      if (variation in flag.variations) return flag.variations[variation]
      const cause = `The flag serves the variation ${variation} in ${environment.name}, and has none: each call of the SDK has its own default.`
      throw leaveOut('LD-T023', cause, 'The flag is left out.')
    }
    return [
      {
        environment: environment.name,
        steps: steps.map((step) => ({ ...step, serve: valueOf(step.serve) })),
        rest: valueOf(rest),
      },
    ]
  })
  const names = {
    key,
    from: key,
    ...(summary.description !== '' && { description: summary.description }),
    ...(summary.tags.length > 0 && { tags: [...summary.tags] }),
  }
  return toKey(names, 'LD', targeted, issues)
}
