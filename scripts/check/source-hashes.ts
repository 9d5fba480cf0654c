import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { createImportGraph } from './import-graph.ts'

/** Hashes files as they were when it was created, whatever is written meanwhile. Paths begin at the root of the work tree, with `/`. */
export interface SourceHashes {
  /**
   * Hashes a test file, what it imports and what these name by a path, over any number of files; and the same for each of
   * `reads`, which are files or folders.
   */
  keyOf(test: string, reads: readonly string[]): string
  /** Hashes the files that match pathspecs of git. */
  hashInputs(inputs: readonly string[]): string
}

/**
 * Lists the files of the work tree that match `inputs`, from its root on. Untracked files count, and ignored ones don't.
 * A `*` stands for a part of one name. Throws where git can't list them.
 */
export function listInputs(inputs: readonly string[], root: string): readonly string[] {
  const args = ['--glob-pathspecs', 'ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = spawnSync('git', [...args, '--', ...inputs], { cwd: root, encoding: 'utf8' })
  if (listed.status !== 0) throw new Error(`git cannot list the inputs: ${listed.stderr}`)
  const paths = new Set(listed.stdout.split('\0'))
  return [...paths].filter((path) => path !== '' && existsSync(join(root, path))).toSorted()
}

/** Reads the whole work tree as it is now. */
export function createSourceHashes(root: string): SourceHashes {
  const files = new Set(listInputs(['.'], root))
  const folders = listFolders(files)
  const { listImports, read } = createImportGraph(root)
  for (const path of files) read(path)
  const hashes = new Map<string, string>()
  const hashOf = (path: string): string => {
    const known = hashes.get(path)
    if (known !== undefined) return known
    const held = folders.get(path)
    const hash = held === undefined ? sha256(read(path)) : hashAll(held)
    hashes.set(path, hash)
    return hash
  }
  const hashAll = (paths: readonly string[]) =>
    sha256(paths.map((path) => `${path}\0${hashOf(path)}\n`).join(''))
  const referred = new Map<string, readonly string[]>()
  const listReferred = (path: string): readonly string[] => {
    const known = referred.get(path)
    if (known !== undefined) return known
    const named = folders.has(path) ? [] : [...listImports(path), ...listNamed(path, read(path))]
    const found = named.filter((one) => files.has(one) || folders.has(one))
    referred.set(path, found)
    return found
  }
  return {
    keyOf(test, reads) {
      const reached = new Set([test, ...reads])
      // The set grows while it is walked.
      for (const path of reached) for (const one of listReferred(path)) reached.add(one)
      return hashAll([...reached].toSorted())
    },
    hashInputs: (inputs) => hashAll(listInputs(inputs, root)),
  }
}

function listFolders(files: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, string[]>()
  for (const path of files) {
    for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
      const held = folders.get(folder) ?? []
      folders.set(folder, held)
      held.push(path)
      if (folder === '.') break
    }
  }
  return folders
}

/** Text between quotes, to its end or to where a template puts something in. */
const literalPattern = /['"`](?:\$\{[^}]*\}\/)?([\w.@/-]+)(?:['"`]|(\$\{))/g
const isSource = /\.[cm]?[jt]sx?$/
const isTest = /^packages\/[^/]+\/.*(?:\.test\.tsx?$|\/testing\/)/
const ownPlace = /\bimport\.meta\.(?:dirname|filename|url)\b|\bprocess\.cwd\(\)/

/**
 * Lists what may be a path in a source: below its own folder and below the root. A test that asks for its own place may read
 * all of its package. The whole repository is none: whoever reads that names the parts, or its step reads everything.
 */
function listNamed(path: string, text: string): readonly string[] {
  if (!isSource.test(path)) return []
  const found = new Set<string>()
  for (const [, literal = '', hole] of text.matchAll(literalPattern)) {
    const whole = hole === undefined ? literal : literal.slice(0, literal.lastIndexOf('/') + 1)
    found.add(posix.join(posix.dirname(path), whole).replace(/\/$/, ''))
    // A word alone is hardly ever a folder of the repository.
    if (/[/.]/.test(whole)) found.add(whole.replace(/\/$/, ''))
  }
  if (isTest.test(path) && ownPlace.test(text)) found.add(path.split('/', 2).join('/'))
  found.delete('.')
  return [...found]
}

/** Returns the hash of a text, in hexadecimal digits. */
export function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Lists the lines that are neither blank nor a comment, as `cloc` counts them. */
export function listCodeLines(text: string): readonly string[] {
  return text
    .replaceAll(/^[ \t]*\/\*[\s\S]*?\*\/[ \t]*$/gm, '')
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|$)/.test(line))
}
