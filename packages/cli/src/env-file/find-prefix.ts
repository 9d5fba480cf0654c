import { CliError } from '../terminal/cli-error.ts'
import { detectDialect } from './detect-format.ts'
import { dialects } from './dialects.ts'

/**
 * Returns the prefix that `--prefix` means: nothing without the flag, and for `auto` that of the framework which a format is
 * for, or which the project in `directory` uses.
 *
 * @throws {CliError} `invalid_prefix`
 */
export async function findPrefix(
  flag: string | undefined,
  directory: string,
  format?: string,
): Promise<string> {
  if (flag !== undefined && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(flag)) {
    throw new CliError('usage', 'invalid_prefix', `A variable can't begin with "${flag}".`, {
      advice: '--prefix takes letters, digits and _, such as VITE_, or auto.',
    })
  }
  if (flag !== 'auto') return flag ?? ''
  const used = format ?? (await detectDialect(directory))
  return Object.values(dialects).find(({ name }) => name === used)?.publicPrefix ?? ''
}
