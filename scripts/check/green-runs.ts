import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const repository = join(import.meta.dirname, '../..')

/** Names the tracked file that maps each long step to the hash of its inputs at its last green run. */
export const greenRunsFile = 'scripts/check/green-runs.json'

/**
 * Lists the files of the work tree that match `inputs`, from its root on. Untracked files count, and ignored ones don't.
 * A `*` stands for a part of one name. Throws where git can't list them.
 */
export function listInputs(inputs: readonly string[], root = repository): readonly string[] {
  const args = ['--glob-pathspecs', 'ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = spawnSync('git', [...args, '--', ...inputs], { cwd: root, encoding: 'utf8' })
  if (listed.status !== 0) throw new Error(`git cannot list the inputs: ${listed.stderr}`)
  const paths = new Set(listed.stdout.split('\0'))
  return [...paths].filter((path) => path !== '' && existsSync(join(root, path))).toSorted()
}

/** Hashes the paths and contents of the files that match `inputs`. */
export function hashInputs(inputs: readonly string[], root = repository): string {
  const hash = createHash('sha256')
  for (const path of listInputs(inputs, root)) {
    const content = createHash('sha256')
      .update(readFileSync(join(root, path)))
      .digest('hex')
    hash.update(`${path}\0${content}\n`)
  }
  return hash.digest('hex')
}

/** Reads the hashes of the last green runs, by step. A step that never was green has none. */
export function readGreenRuns(root = repository): Readonly<Record<string, string>> {
  const path = join(root, greenRunsFile)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>) : {}
}

/** Records that `step` was green with these inputs. The file belongs into the commit that changed them. */
export function recordGreenRun(step: string, hash: string, root = repository): void {
  const path = join(root, greenRunsFile)
  const all: Readonly<Record<string, string>> = { ...readGreenRuns(root), [step]: hash }
  const names = Object.keys(all).toSorted()
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(all, names, 2)}\n`)
}
