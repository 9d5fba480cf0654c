import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createImportGraph } from '../scripts/check/import-graph.ts'
import { startMeter } from '../scripts/check/processor-time.ts'
import { runSteps, type Allowance } from '../scripts/check/run-steps.ts'
import { createSourceHashes, listInputs } from '../scripts/check/source-hashes.ts'
import { proofSteps, type Step } from '../scripts/check/steps.ts'
import { measureYardstick } from '../scripts/check/yardstick.ts'
import { root as repository } from './architecture/source-files.ts'

const printed: string[] = []
/** Holds an empty repository for each test. */
let root: string
const write = (path: string, text: string) => writeFileSync(join(root, path), text)
const step = (name: string, code: string): Step => ({ name, commands: [['node', '-e', code]] })
const run = async (steps: readonly Step[], allowance?: Allowance) => {
  const { passed, failed } = await runSteps(steps, allowance)
  return { passed, failed }
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-check-'))
  execFileSync('git', ['init', '--quiet'], { cwd: root })
  printed.length = 0
  vi.spyOn(console, 'log').mockImplementation((line: string) => printed.push(...line.split('\n')))
  vi.spyOn(console, 'error').mockImplementation((line: string) => printed.push(line))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(root, { recursive: true })
})

describe('runSteps', () => {
  it('counts each step and says how long it took', async () => {
    expect(await run([step('one', '0'), step('two', '0')])).toEqual({ passed: 2, failed: 0 })
    expect(printed).toContain('== one')
    expect(printed).toContainEqual(expect.stringMatching(/^one ok in \d+\.\d s, processor time /))
    expect(printed.at(-1)).toMatch(/^altogether 0\.\d minutes$/)
  })

  it('stops at the first that fails, and names what did not run', async () => {
    const steps = [step('one', '0'), step('two', 'process.exit(3)'), step('three', '0')]
    expect(await run(steps)).toEqual({ passed: 1, failed: 1 })
    expect(printed).toContainEqual(expect.stringMatching(/^two FAILED in/))
    expect(printed.at(-1)).toBe('not run: three')
  })

  it('ends a step that hangs, and its children', async () => {
    const hangs = "require('node:child_process').spawnSync('sleep', ['60'])"
    expect(await run([step('one', hangs)], { limitSeconds: 0.6 })).toEqual({ passed: 0, failed: 1 })
    expect(printed).toContain('node did not end within 0.6 seconds.')
  })

  it('fails a step whose program is missing', async () => {
    const missing: Step = { name: 'one', commands: [['no-such-program']] }
    expect(await run([missing])).toEqual({ passed: 0, failed: 1 })
    expect(printed).toContainEqual(expect.stringMatching(/^no-such-program could not be started/))
  })

  it('keeps the settings of a service on the same machine away from the tests', async () => {
    vi.stubEnv('SIGNALBOX_API_PORT', '14400')
    vi.stubEnv('DATABASE_URL', 'postgres://production')
    const look = 'process.exit(process.env.SIGNALBOX_API_PORT || process.env.DATABASE_URL ? 1 : 0)'
    expect(await run([step('one', look)])).toEqual({ passed: 1, failed: 0 })
    vi.unstubAllEnvs()
  })
})

const burn = (seconds: number) =>
  `const end = ${seconds} * 1e6; while (process.cpuUsage().user + process.cpuUsage().system < end);`

describe.skipIf(process.platform !== 'linux')('the processor time of a check', () => {
  it('fails one that costs more than one and a quarter times what is recorded, and names what grew', async () => {
    const steps = [step('grown', burn(1)), step('same', '0')]
    expect(await run(steps, { recorded: () => ({ grown: 0.6, same: 0.1 }) })).toEqual({
      passed: 2,
      failed: 1,
    })
    expect(printed).toContainEqual(
      expect.stringMatching(/^processor time .*: the check has grown$/),
    )
    expect(printed).toContainEqual(expect.stringMatching(/^grown costs 1\.\d s instead of 0\.6$/))
  })

  it('control: is the same however long a step waits, and says nothing of a step without a record', async () => {
    const waits = step('waits', `${burn(0.2)} setTimeout(() => {}, 1500)`)
    const passed = { passed: 1, failed: 0 }
    expect(await run([waits], { recorded: () => ({ waits: 1 }) })).toEqual(passed)
    expect(printed).toContainEqual(expect.stringMatching(/% of the recorded 1\.0 s$/))
    expect(await run([waits], { recorded: () => ({ another: 0.1 }) })).toEqual(passed)
  })

  it('is a multiple of a fixed piece of work, on every machine', async () => {
    const path = join(repository, 'scripts/check/yardstick.ts')
    const measure = `import(${JSON.stringify(path)}).then((all) => all.measureYardstick())`
    const yardstick = measureYardstick()
    const { spent } = await runSteps([step('work', measure)])
    expect((spent['work'] ?? 0) / yardstick).toBeGreaterThan(6)
    expect((spent['work'] ?? 0) / yardstick).toBeLessThan(16)
  })

  it('counts a process that outlives its parent, as PostgreSQL does when a service is killed', async () => {
    const [ready, done] = [join(root, 'ready'), join(root, 'done')]
    const say = (path: string) => `require('node:fs').writeFileSync(${JSON.stringify(path)}, '');`
    // Busy for so long that it is seen as ours before its parent ends, which ends its input.
    const orphan = `${burn(0.5)} ${say(ready)} process.stdin.resume().once('end', () => { ${burn(1.2)} ${say(done)} setTimeout(() => process.exit(), 1_000) })`
    const options = "{ detached: true, env: {}, stdio: ['pipe', 'ignore', 'ignore'] }"
    const parent = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(orphan)}], ${options})`
    const meter = startMeter()
    try {
      const child = spawn('node', ['-e', parent], { stdio: 'ignore' })
      await expect.poll(() => existsSync(ready)).toBe(true)
      child.kill('SIGKILL')
      await once(child, 'exit')
      await expect.poll(() => existsSync(done)).toBe(true)
    } finally {
      expect(meter.stop()).toBeGreaterThan(1.1)
    }
  })
})

/** Writes the report of a run of tests, as vitest does. */
const writeReport = `
  import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
  import { dirname } from 'node:path'
  const writeReport = (tests, total = tests.length) => {
    const testResults = tests.map(({ name, status }) => ({
      name: import.meta.dirname + '/' + name, status, assertionResults: [{ status }],
    }))
    const failed = tests.filter(({ status }) => status === 'failed').length
    const option = process.argv.find((one) => one.startsWith('--outputFile.json='))
    const path = option.slice(option.indexOf('=') + 1)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify({ numPassedTests: total - failed, numFailedTests: failed, testResults }))
    process.exitCode = failed
  }`

/** Reports ten tests, one of which fails in each of `files` during the first `failures` runs. */
const failingTests = `${writeReport}
  const [counter, failures, files] = process.argv.slice(2, 5)
  const run = existsSync(counter) ? Number(readFileSync(counter, 'utf8')) + 1 : 1
  writeFileSync(counter, String(run))
  const status = run <= Number(failures) ? 'failed' : 'passed'
  writeReport(files.split(',').map((name) => ({ name, status })), 10)`

describe('a step of browsers', () => {
  const play = (failures: number, files: string): Step => {
    write('failing.mjs', failingTests)
    const args = [join(root, 'failing.mjs'), join(root, 'counter'), String(failures), files]
    return { name: 'b', commands: [['node', ...args]], tests: true, repeatsFailed: true }
  }

  it('runs what failed once more, and says what passed only then', async () => {
    expect(await run([play(1, 'a.test.ts')], { root })).toEqual({
      passed: 10,
      failed: 0,
    })
    expect(printed).toContain('Once more: a.test.ts')
    expect(printed.at(-1)).toBe('passed only the second time: a.test.ts')
  })

  it('control: fails with what fails twice, with more files than two, and where no step says so', async () => {
    expect(await run([play(2, 'a.test.ts')], { root })).toEqual({ passed: 9, failed: 1 })
    rmSync(join(root, 'counter'))
    expect(await run([play(1, 'a,b,c')], { root })).toEqual({ passed: 7, failed: 3 })
    rmSync(join(root, 'counter'))
    const once = { ...play(1, 'a.test.ts'), repeatsFailed: false }
    expect(await run([once], { root })).toEqual({ passed: 9, failed: 1 })
    expect(printed.filter((line) => line.includes('second time'))).toEqual([])
  })
})

/** Loads the files of tests that the check left over. */
const loadTests = `${writeReport}
  const kept = JSON.parse(readFileSync(process.env.CHECK_KEPT_FILES, 'utf8'))
  const names = globSync('*.test.mjs', { cwd: import.meta.dirname }).filter((name) => !kept.includes(name))
  const load = (name) => import('./' + name).then(() => 'passed', () => 'failed')
  writeReport(await Promise.all(names.map(async (name) => ({ name, status: await load(name) }))))`
const testOf = (name: string) => `
  import { answer } from './${name}.mjs'
  if (answer !== 42) throw new Error('It answers otherwise')`

describe('a file of tests that was green', () => {
  const play = async (keepsGreen = true) => {
    const command = ['node', join(root, 'load.mjs')] as const
    const each: Step = { name: 'tests', commands: [command], tests: true, reads: ['folder'] }
    printed.length = 0
    const counts = await run([each], { keepsGreen, root })
    const line = printed.findLast((one) => one.startsWith('tests ')) ?? ''
    return { ...counts, kept: Number(/(\d+) files kept green/.exec(line)?.[1] ?? 0) }
  }
  beforeEach(() => {
    mkdirSync(join(root, 'folder'))
    write('load.mjs', loadTests)
    write('one.test.mjs', testOf('one'))
    write('two.test.mjs', testOf('two'))
    write('one.mjs', "export { answer } from './deep.mjs'")
    write('two.mjs', 'export const answer = 42')
    write('deep.mjs', 'export const answer = 42')
  })

  it('is run again, and found red, when a file behind its imports has a fault; the others are kept', async () => {
    expect(await play()).toEqual({ passed: 2, failed: 0, kept: 0 })
    expect(await play()).toEqual({ passed: 0, failed: 0, kept: 2 })
    write('deep.mjs', 'export const answer = 41')
    expect(await play()).toEqual({ passed: 0, failed: 1, kept: 1 })
    // A red file is run until it is green.
    expect(await play()).toEqual({ passed: 0, failed: 1, kept: 1 })
    write('deep.mjs', 'export const answer = 42')
    expect(await play()).toEqual({ passed: 1, failed: 0, kept: 1 })
    expect(await play(false)).toEqual({ passed: 2, failed: 0, kept: 0 })
  })

  it('is one with another key when what it names by a path, reads or is installed differs, and else the same', () => {
    write('one.test.mjs', "readFileSync(new URL('./data.json', import.meta.url))")
    const keyOf = () => createSourceHashes(root).keyOf('one.test.mjs', ['folder'])
    const keys = new Set([keyOf()])
    for (const path of ['data.json', 'folder/new.ts', 'one.test.mjs']) {
      write(path, 'export {}')
      expect([path, keys.has(keyOf())]).toEqual([path, false])
      keys.add(keyOf())
    }
    write('two.mjs', 'export {}')
    expect(keys.has(keyOf())).toBe(true)
  })
})

describe('the imports of a file', () => {
  const { reachesAny } = createImportGraph(repository)
  const reaches = (path: string, target: string) => reachesAny(path, new Set([target]))

  it('are followed over files and packages, types included', () => {
    const test = 'packages/server/src/configs/values/secrecy.test.ts'
    expect(reaches(test, 'packages/server/src/store/testing/test-database.ts')).toBe(true)
    expect(reaches(test, 'packages/contract/src/rest/index.ts')).toBe(true)
  })

  it('control: do not lead from a test without a database to one', () => {
    const test = 'packages/server/src/http/input/json.test.ts'
    expect(reaches(test, 'packages/server/src/store/testing/test-database.ts')).toBe(false)
  })
})

describe('a step that names its inputs', () => {
  const long = (code = 'process.exit(require("./input.json"))'): Step => ({
    ...step('long', `process.chdir(${JSON.stringify(root)}); ${code.replace('./', `${root}/`)}`),
    inputs: ['*.json'],
  })
  const wasRun = () => printed.some((line) => /^long (?:ok|FAILED)/.test(line))
  const play = async (each: Step, keepsGreen = true) => {
    printed.length = 0
    return { ...(await run([each], { keepsGreen, root })), wasRun: wasRun() }
  }
  const green = { passed: 1, failed: 0, wasRun: true }
  const kept = { passed: 0, failed: 0, wasRun: false }
  const red = { passed: 0, failed: 1, wasRun: true }
  beforeEach(() => write('input.json', '0'))

  it('is not run again after it was green with them, and says so', async () => {
    expect(await play(long())).toEqual(green)
    expect(await play(long())).toEqual(kept)
    expect(printed).toContain(
      'long not run: its inputs are those of its last green run (--all runs it)',
    )
    expect(await play(long(), false)).toEqual(green)
  })

  it('is run again when one of them differs, is new, or is gone, and its fault is found', async () => {
    await play(long())
    write('input.json', '3')
    expect(await play(long())).toEqual(red)
    // A red file is run until it is green.
    expect(await play(long())).toEqual(red)
    write('input.json', '0')
    expect(await play(long())).toEqual(kept)
    write('new.json', '1')
    expect(await play(long())).toEqual(green)
    rmSync(join(root, 'new.json'))
    expect(await play(long())).toEqual(green)
    // A file that is no input of the step changes nothing.
    write('new.md', '1')
    expect(await play(long())).toEqual(kept)
  })

  /** Maps such a step to its files of tests. What these start as programs of their own is tested by the other steps. */
  const testsOf: Readonly<Record<string, readonly string[]>> = {
    packages: ['test/packages.test.ts', 'test/deploy/image.test.ts'],
    templates: ['e2e/{next,vite}-app-*.test.ts', 'examples/*/*.test.ts'],
  }
  const importedBy = (path: string, found = new Set([path])): ReadonlySet<string> => {
    const text = readFileSync(join(repository, path), 'utf8')
    for (const [, specifier = ''] of text.matchAll(/^(?:import|export|\}) .*from '(\.[^']+)'/gm)) {
      const imported = relative(repository, join(repository, dirname(path), specifier))
      const isNew = !found.has(imported) && existsSync(join(repository, imported))
      if (isNew) importedBy(imported, found.add(imported))
    }
    return found
  }

  it.each(proofSteps.filter(({ inputs }) => inputs !== undefined))(
    '$name counts every file that its tests import among them',
    ({ name, inputs = [] }) => {
      const known = new Set(listInputs(inputs, repository))
      const tests = globSync([...(testsOf[name] ?? [])], { cwd: repository })
      expect(tests.length).toBeGreaterThan(1)
      const imported = new Set(tests.flatMap((path) => [...importedBy(path)]))
      expect([...imported].filter((path) => !known.has(path))).toEqual([])
    },
  )
})
