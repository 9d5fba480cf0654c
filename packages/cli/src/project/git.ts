import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { writeFileAtomically } from './write-file.ts'

/** Returns git's output. `undefined` without git or a repository. */
function git(
  directory: string,
  args: readonly string[],
): Promise<{ code: number; text: string } | undefined> {
  return new Promise((resolve) => {
    execFile(
      'git',
      ['-C', directory, ...args],
      { timeout: 10_000, windowsHide: true },
      (error, stdout) => {
        const code = error === null ? 0 : error.code
        resolve(typeof code === 'number' && code < 128 ? { code, text: stdout } : undefined)
      },
    )
  })
}

/** Returns whether git has `path` under version control. Without git: false. */
export async function isTracked(path: string): Promise<boolean> {
  const answer = await git(dirname(path), ['ls-files', '--error-unmatch', '--', path])
  return answer?.code === 0
}

/** Returns whether git ignores `path`; `undefined` outside of a repository. */
export async function isIgnored(path: string): Promise<boolean | undefined> {
  const answer = await git(dirname(path), ['check-ignore', '--quiet', '--no-index', '--', path])
  return answer === undefined ? undefined : answer.code === 0
}

/**
 * Makes git ignore `path` by a line in the `.gitignore` beside it. Returns that file, or `undefined` when `path` was
 * ignored already.
 */
export async function ensureIgnored(path: string): Promise<string | undefined> {
  const directory = dirname(path)
  const file = join(directory, '.gitignore')
  const line = basename(path)
  const text = await readFile(file, 'utf8').catch(() => '')
  const names = new Set(text.split(/\r?\n/).map((each) => each.trim()))
  if ((await isIgnored(path)) ?? (names.has(line) || names.has(`/${line}`))) return undefined
  const mode = await stat(file).then(
    (stats) => stats.mode & 0o777,
    () => 0o644,
  )
  const separator = text === '' || text.endsWith('\n') ? '' : '\n'
  await writeFileAtomically(file, `${text}${separator}${line}\n`, mode)
  return file
}
