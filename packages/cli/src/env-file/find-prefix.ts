import { detectDialect } from './detect-format.ts'
import { dialects } from './dialects.ts'

/**
 * Returns the prefix that `--prefix` means: nothing without the flag, and for `auto` that of the framework which a format is
 * for, or which the project in `directory` uses.
 */
export async function findPrefix(
  flag: string | undefined,
  directory: string,
  format?: string,
): Promise<string> {
  if (flag !== 'auto') return flag ?? ''
  const used = format ?? (await detectDialect(directory))
  return Object.values(dialects).find(({ name }) => name === used)?.publicPrefix ?? ''
}
