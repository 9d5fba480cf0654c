import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { CliError } from '../terminal/cli-error.ts'
import { ensureIgnored, isIgnored, isTracked } from './git.ts'
import { writeFileAtomically } from './write-file.ts'

const onlyOwner = 0o600

/** Describes a file with secrets to write. */
export interface SecretFile {
  readonly path: string
  readonly text: string
  /** Holds the directory whose repository is told to ignore the file. */
  readonly projectDirectory: string
  /** Only checks. */
  readonly dryRun: boolean
}

/** Describes how git is kept from a file. */
export interface KeptFromGit {
  /** Holds the ignore file that the file was added to, if it was. */
  readonly ignoreFile: string | undefined
  /** Says whether git, in a repository that is not this project's, may still take the file. */
  readonly isExposed: boolean
}

/**
 * Writes a file with secrets for its owner alone (0600), and keeps git from it.
 *
 * @throws {CliError} `tracked_by_git`
 */
export async function writeSecretFile({
  path,
  text,
  projectDirectory,
  dryRun,
}: SecretFile): Promise<KeptFromGit> {
  if (await isTracked(path)) {
    throw new CliError(
      'validation',
      'tracked_by_git',
      `${basename(path)} is tracked by git, so git would commit the secrets in it.`,
      {
        advice: `git rm --cached ${basename(path)}`,
      },
    )
  }
  if (dryRun) return { ignoreFile: undefined, isExposed: false }
  const ignoreFile = await ensureIgnored(path, projectDirectory)
  await writeFileAtomically(path, text, onlyOwner)
  return { ignoreFile, isExposed: (await isIgnored(path)) === false }
}

/** Reads a file, which is empty when there is none. */
export async function readExisting(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  })
}
