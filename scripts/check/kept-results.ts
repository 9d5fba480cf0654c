/**
 * Keeps what was green, so that a check runs again only what may have changed since.
 *
 * Of a test file the key is the hash of all that decides its outcome (`source-hashes.ts`), of the lockfile, of Node and of the
 * settings of the run. Keys stay below `node_modules`, outside of git: a clean clone has none and runs everything. But a step
 * with `inputs` is left out in a clean clone too, where its inputs are those of its last green run, because it takes minutes and
 * hardly ever changes. Only a tracked file can say so to a clone.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createSourceHashes, sha256, type SourceHashes } from './source-hashes.ts'
import type { Step } from './steps.ts'
import type { TestFile } from './test-report.ts'

/** Names the tracked file that maps each step with `inputs` to their hash at its last green run. */
export const greenRunsFile = 'scripts/check/green-runs.json'
const keptFile = 'node_modules/.cache/check/kept.json'

/** Decides what is installed, and which tests there are. */
const always = [
  'package-lock.json',
  '.npmrc',
  'tsconfig.base.json',
  'package.json',
  'vitest.config.ts',
]
const settings = ['PROOF_SCALE', 'SIGNALBOX_TEST_REQUIRE']

/** Holds the keys of green test files by path, of one step. */
type Keys = Readonly<Record<string, string>>

/** Compares the files of one step with its last green run. */
export interface KeptResults {
  /** Lists the test files that would be green again. */
  readonly files: readonly string[]
  /** Notes the files that were green just now, but for those whose inputs were changed meanwhile. */
  record(ran: readonly TestFile[]): void
}

/** Compares the work tree as it is now. */
export function readKeptResults(step: Step, root: string): KeptResults {
  const keyOf = createKeys(step, createSourceHashes(root))
  const kept = Object.entries(readKeys(root)[step.name] ?? {})
  return {
    files: kept.filter(([path, key]) => keyOf(path) === key).map(([path]) => path),
    record(ran) {
      const keyOfNow = createKeys(step, createSourceHashes(root))
      const all = new Map(kept)
      for (const { path, isGreen } of ran) {
        const key = keyOfNow(path)
        if (isGreen && key === keyOf(path)) all.set(path, key)
        else all.delete(path)
      }
      writeJson(join(root, keptFile), { ...readKeys(root), [step.name]: Object.fromEntries(all) })
    },
  }
}

function createKeys({ reads = [] }: Step, hashes: SourceHashes): (path: string) => string {
  const machine = [process.version, process.platform, process.arch]
  const run = [...machine, ...settings.map((name) => process.env[name]), hashes.hashInputs(always)]
  return (path) => sha256([...run, hashes.keyOf(path, reads)].join(' '))
}

/** Returns whether the step's `inputs` are those of its last green run, and what records that they were green. */
export function compareInputs(inputs: readonly string[], step: string, root: string) {
  const hash = createSourceHashes(root).hashInputs(inputs)
  const path = join(root, greenRunsFile)
  const recorded = readJson(path) as Keys
  return {
    areGreen: recorded[step] === hash,
    record: () => writeJson(path, { ...recorded, [step]: hash }),
  }
}

function readKeys(root: string): Readonly<Record<string, Keys>> {
  return readJson(join(root, keptFile)) as Readonly<Record<string, Keys>>
}

function readJson(path: string): object {
  const read: object = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  return read
}

function writeJson(path: string, object: object): void {
  const sorted = Object.fromEntries(
    Object.entries(object).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(sorted, undefined, 2)}\n`)
}
