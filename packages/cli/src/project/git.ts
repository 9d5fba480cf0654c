import { execFile } from 'node:child_process'
import { readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
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

/** Returns the root of the repository that holds `directory`; `undefined` without git or a repository. */
export async function findRepository(directory: string): Promise<string | undefined> {
  const answer = await git(directory, ['rev-parse', '--show-toplevel'])
  return answer?.code === 0 ? answer.text.trim() : undefined
}

/** Describes the commit that is checked out, as far as git says so. */
export interface CheckedOut {
  readonly sha: string | undefined
  /** Holds the branch. `undefined`: none is checked out. */
  readonly branch: string | undefined
  /** Holds the name of the repository that `origin` leads to. Example: `acme/shop`. */
  readonly repository: string | undefined
}

/** Returns which commit of which repository is checked out in `directory`. */
export async function readCheckedOut(directory: string): Promise<CheckedOut> {
  const read = async (...args: readonly string[]) => {
    const answer = await git(directory, args)
    return answer?.code === 0 ? answer.text.trim() || undefined : undefined
  }
  const [sha, branch, origin] = await Promise.all([
    read('rev-parse', '--verify', '--quiet', 'HEAD'),
    read('symbolic-ref', '--short', '--quiet', 'HEAD'),
    read('remote', 'get-url', 'origin'),
  ])
  return { sha, branch, repository: origin === undefined ? undefined : toRepositoryName(origin) }
}

/** Returns the path of a remote, which may hold a password before its host. Example: `acme/shop` of `git@example.com:acme/shop.git`. */
function toRepositoryName(remote: string): string | undefined {
  const [, path] = /^(?:\w[\w+.-]*:\/\/[^/]+\/|[^:/]+:)\/?(.+?)(?:\.git)?\/?$/.exec(remote) ?? []
  return path?.includes('/') === true ? path : undefined
}

/** Returns whether `path` is not as the commit that is checked out has it. `undefined` without git or a repository. */
export async function isChanged(path: string): Promise<boolean | undefined> {
  const answer = await git(dirname(path), ['status', '--porcelain', '--', path])
  return answer?.code === 0 ? answer.text.trim() !== '' : undefined
}

/**
 * Makes git ignore `path` by a line in the `.gitignore` beside it. Returns that file, or `undefined` when `path` was
 * ignored already. Nothing is written outside of the project: the repository of `projectDirectory`, or that directory
 * itself while it is in none.
 */
export async function ensureIgnored(
  path: string,
  projectDirectory: string,
): Promise<string | undefined> {
  const directory = dirname(path)
  const project = (await findRepository(projectDirectory)) ?? projectDirectory
  if (!(await isWithin(project, directory))) return undefined
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

/** Compares as the file system does: either path may lead over a symbolic link. */
async function isWithin(parent: string, directory: string): Promise<boolean> {
  const [from, to] = await Promise.all([realpath(parent), realpath(directory)])
  return to === from || to.startsWith(from.endsWith(sep) ? from : `${from}${sep}`)
}
