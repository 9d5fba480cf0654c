import { CliError } from './cli-error.ts'

/** Maps errors of the file system that a person can solve to words. Commands handle missing files themselves. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  EISDIR: 'is a directory',
  EACCES: 'is not readable or writable for you',
  EPERM: 'is not writable for you',
  EROFS: 'is on a read-only disk',
  ENOSPC: 'cannot be written: the disk is full',
  EDQUOT: 'cannot be written: your disk quota is full',
  ENOTDIR: 'is not below a directory',
  ENAMETOOLONG: 'has too long a name',
}

/** Explains an error of the file system, or returns `undefined` when a person cannot act on it. */
export function toFileError(error: unknown): CliError | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return undefined
  const reason = reasons[String(error.code)]
  if (reason === undefined) return undefined
  return new CliError('failure', 'file', `${String(error.path)} ${reason}.`, { cause: error })
}
