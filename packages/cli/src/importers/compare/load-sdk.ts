import { createRequire } from 'node:module'
import { join } from 'node:path'
import { assertTrusted, type Trust } from '../../project/file-owner.ts'
import { CliError } from '../../terminal/cli-error.ts'
import type { Judge, LoadModule } from './judge.ts'

/** Names the project whose SDK is loaded, and whose files may run. */
export interface SdkProject {
  readonly cwd: string
  readonly trust: Trust
}

/**
 * Returns a function that loads modules of the SDK that the project has installed. This command brings none along.
 *
 * @throws {CliError} `sdk_missing` with the line that installs it, `foreign_file`
 */
export async function loadSdk(
  { packages }: Judge,
  { cwd, trust }: SdkProject,
): Promise<LoadModule> {
  const [sdk] = packages
  const require = createRequire(join(cwd, 'package.json'))
  const path = resolveFrom(require, sdk)
  if (path === undefined) {
    throw new CliError('validation', 'sdk_missing', `${sdk} is not installed in ${cwd}.`, {
      advice: `npm install --no-save ${packages.join(' ')}`,
    })
  }
  await assertTrusted(path, trust)
  return (specifier) => require(specifier)
}

function resolveFrom(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name)
  } catch {
    return undefined
  }
}
