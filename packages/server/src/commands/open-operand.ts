import { open, stat, type FileHandle } from 'node:fs/promises'
import { errorCodeOf } from '../store/error-code.ts'
import { UsageError } from './command.ts'

type Use = 'read' | 'written'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  EACCES: 'this user has no permission',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of the path is not a directory',
  EROFS: 'the file system is read only',
}

/**
 * Opens the file that was named on the command line: before the database is, so that a wrong name costs nothing.
 *
 * @throws {UsageError} that names the file and why it cannot be read.
 */
export async function openToRead(file: string): Promise<FileHandle> {
  await refuseDirectory(file, 'read')
  return open(file, 'r').catch((error: unknown) => {
    throw explainOperand(error, file, 'read')
  })
}

/** Opens a file to write: a draft beside it, readable by its owner alone, that is to be renamed when it is whole. */
export async function openDraft(file: string, draft: string): Promise<FileHandle> {
  await refuseDirectory(file, 'written')
  return open(draft, 'w', 0o600).catch((error: unknown) => {
    throw explainOperand(error, file, 'written')
  })
}

async function refuseDirectory(file: string, use: Use): Promise<void> {
  const stats = await stat(file).catch(() => undefined)
  if (stats?.isDirectory() === true) throw rejection(file, use, 'EISDIR')
}

/** Returns why the file that was named on the command line cannot be used. */
export function explainOperand(error: unknown, file: string, use: Use): UsageError {
  return rejection(file, use, errorCodeOf(error))
}

function rejection(file: string, use: Use, code = ''): UsageError {
  return new UsageError(`${file} cannot be ${use}: ${reasons[code] ?? code}.`)
}
