import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { CliError } from '../terminal/cli-error.ts'
import { ensureIgnored, isTracked } from './git.ts'
import { writeFileAtomically } from './write-file.ts'

const onlyOwner = 0o600

/**
 * Writes a file with secrets for its owner alone (0600), and keeps git from it. Returns the ignore file that it was
 * added to, if it was. With `dryRun` it only checks.
 *
 * @throws {CliError} `tracked_by_git`
 */
export async function writeSecretFile(
  path: string,
  text: string,
  dryRun: boolean,
): Promise<string | undefined> {
  if (await isTracked(path)) {
    throw new CliError(
      'validation',
      'tracked_by_git',
      `${basename(path)} is tracked by git: secrets in it would be committed.`,
      {
        advice: `git rm --cached ${basename(path)}`,
      },
    )
  }
  if (dryRun) return undefined
  const ignoreFile = await ensureIgnored(path)
  await writeFileAtomically(path, text, onlyOwner)
  return ignoreFile
}

/** Reads a file, which is empty when there is none. */
export async function readExisting(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  })
}
