import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listInputs } from '../scripts/check/green-runs.ts'
import { runSteps } from '../scripts/check/run-steps.ts'
import { checkSteps, proofSteps, type Step } from '../scripts/check/steps.ts'
import { root as repository } from './architecture/source-files.ts'

const printed: string[] = []
const step = (name: string, code: string, budgetSeconds = 60): Step => ({
  name,
  commands: [['node', '-e', code]],
  budgetSeconds,
})

beforeEach(() => {
  printed.length = 0
  vi.spyOn(console, 'log').mockImplementation((line: string) => printed.push(...line.split('\n')))
  vi.spyOn(console, 'error').mockImplementation((line: string) => printed.push(line))
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe('runSteps', () => {
  it('counts each step and says how long it took', async () => {
    expect(await runSteps([step('one', '0'), step('two', '0')])).toEqual({ passed: 2, failed: 0 })
    expect(printed).toContain('== one')
    expect(printed).toContainEqual(expect.stringMatching(/^one ok in \d+\.\d of 60 s$/))
  })

  it('says at the end what a whole run took of what it is to take, and fails nothing by it', async () => {
    const waits = step('one', 'setTimeout(() => {}, 700)')
    expect(await runSteps([waits], { promisedSeconds: 6_000 })).toEqual({ passed: 1, failed: 0 })
    expect(printed.at(-1)).toMatch(/^altogether 0\.\d minutes, 0% of 100\.0$/)
    expect(await runSteps([waits], { promisedSeconds: 0.1 })).toEqual({ passed: 1, failed: 0 })
    expect(printed.at(-1)).toMatch(/^altogether .*% of 0\.0: this machine is slower .* grown$/)
    // Part of a run says nothing about the whole.
    await runSteps([step('two', 'process.exit(3)'), waits], { promisedSeconds: 0.1 })
    expect(printed.at(-1)).toBe('not run: one')
  })

  it('stops at the first that fails, and names what did not run', async () => {
    const steps = [step('one', '0'), step('two', 'process.exit(3)'), step('three', '0')]
    expect(await runSteps(steps)).toEqual({ passed: 1, failed: 1 })
    expect(printed).toContainEqual(expect.stringMatching(/^two FAILED in/))
    expect(printed.at(-1)).toBe('not run: three')
  })

  it('ends a step that hangs, and its children', async () => {
    const hangs = "require('node:child_process').spawnSync('sleep', ['60'])"
    expect(await runSteps([step('one', hangs, 0.2)])).toEqual({ passed: 0, failed: 1 })
    expect(printed).toContainEqual(
      expect.stringMatching(/^node did not end within 0\.6\d* seconds\.$/),
    )
  })

  it('fails a step whose program is missing', async () => {
    const missing: Step = { name: 'one', commands: [['no-such-program']], budgetSeconds: 60 }
    expect(await runSteps([missing])).toEqual({ passed: 0, failed: 1 })
    expect(printed).toContainEqual(expect.stringMatching(/^no-such-program could not be started/))
  })

  it('keeps the settings of a service on the same machine away from the tests', async () => {
    vi.stubEnv('SIGNALBOX_API_PORT', '14400')
    vi.stubEnv('DATABASE_URL', 'postgres://production')
    const look = 'process.exit(process.env.SIGNALBOX_API_PORT || process.env.DATABASE_URL ? 1 : 0)'
    expect(await runSteps([step('one', look)])).toEqual({ passed: 1, failed: 0 })
    vi.unstubAllEnvs()
  })
})

/** Writes the report of a run of twelve tests, as vitest does, and takes longer than a second. */
const slowTests = `
  import { mkdirSync, writeFileSync } from 'node:fs'
  import { dirname } from 'node:path'
  const name = process.cwd() + '/some.test.ts'
  const assertionResults = Array.from({ length: 12 }, (_, nth) => ({ fullName: 'test ' + nth, duration: nth * 1000 }))
  const report = { numPassedTests: 12, numFailedTests: 0, testResults: [{ name, assertionResults }] }
  const option = process.argv.find((one) => one.startsWith('--outputFile.json='))
  const path = option.slice(option.indexOf('=') + 1)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(report))
  setTimeout(() => {}, 1_100)`

describe('the budget of a step', () => {
  let directory: string
  let slow: Step
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'signalbox-budget-'))
    const script = join(directory, 'slow.mjs')
    writeFileSync(script, slowTests)
    slow = { name: 'slow', commands: [['node', script]], tests: true, budgetSeconds: 1 }
  })
  afterEach(() => {
    rmSync(directory, { recursive: true })
  })

  it('fails a step that outgrows it, with its ten slowest tests', async () => {
    expect(await runSteps([slow, step('next', '0')])).toEqual({ passed: 12, failed: 1 })
    expect(printed).toContain('slow takes longer than its budget of 1 s.')
    expect(printed.filter((line) => line.includes('some.test.ts'))).toEqual(
      [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map(
        (nth) => `${`${nth}.0`.padStart(7)} s  some.test.ts > test ${nth}`,
      ),
    )
    expect(printed.at(-1)).toBe('not run: next')
  })

  it('control: is not outgrown on a machine that is given more time, or by proofs of a larger scale', async () => {
    const passed = { passed: 12, failed: 0 }
    expect(await runSteps([slow], { budgetFactor: 20 })).toEqual(passed)
    expect(await runSteps([{ ...slow, scales: true }], { scale: 20 })).toEqual(passed)
    expect(printed.filter((line) => line.includes('some.test.ts'))).toEqual([])
  })

  const minutesOf = (steps: readonly Step[]) =>
    steps.reduce((sum, { budgetSeconds }) => sum + budgetSeconds, 0) / 60

  it('is six minutes for the check', () => {
    expect(minutesOf(checkSteps)).toBeLessThanOrEqual(6)
  })

  it('is for everything what half an hour on a quiet machine may grow to, half as long again', () => {
    expect(minutesOf([...checkSteps, ...proofSteps])).toBeLessThanOrEqual(45)
  })
})

/** Writes the report of a run of ten tests, one of which fails in each of `files` during the first `failures` runs. */
const failingTests = `
  import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
  import { dirname } from 'node:path'
  const [counter, failures, files] = process.argv.slice(2, 5)
  const run = existsSync(counter) ? Number(readFileSync(counter, 'utf8')) + 1 : 1
  writeFileSync(counter, String(run))
  const isRed = run <= Number(failures)
  const testResults = files.split(',').map((name) => ({
    name: process.cwd() + '/' + name, status: isRed ? 'failed' : 'passed', assertionResults: [],
  }))
  const failed = isRed ? testResults.length : 0
  const report = { numPassedTests: 10 - failed, numFailedTests: failed, testResults }
  const option = process.argv.find((one) => one.startsWith('--outputFile.json='))
  const path = option.slice(option.indexOf('=') + 1)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(report))
  process.exitCode = failed`

describe('a step of browsers', () => {
  let directory: string
  const play = (failures: number, files: string): Step => {
    const script = join(directory, 'failing.mjs')
    writeFileSync(script, failingTests)
    const command = ['node', script, join(directory, 'counter'), String(failures), files] as const
    return { name: 'b', commands: [command], tests: true, repeatsFailed: true, budgetSeconds: 60 }
  }
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'signalbox-repeat-'))
  })
  afterEach(() => {
    rmSync(directory, { recursive: true })
  })

  it('runs what failed once more, and says what passed only then', async () => {
    expect(await runSteps([play(1, 'a.test.ts')])).toEqual({ passed: 10, failed: 0 })
    expect(printed).toContain('Once more: a.test.ts')
    expect(printed.at(-1)).toBe('passed only the second time: a.test.ts')
  })

  it('control: fails with what fails twice, with more files than two, and where no step says so', async () => {
    expect(await runSteps([play(2, 'a.test.ts')])).toEqual({ passed: 9, failed: 1 })
    rmSync(join(directory, 'counter'))
    expect(await runSteps([play(1, 'a,b,c')])).toEqual({ passed: 7, failed: 3 })
    rmSync(join(directory, 'counter'))
    const once = { ...play(1, 'a.test.ts'), repeatsFailed: false }
    expect(await runSteps([once])).toEqual({ passed: 9, failed: 1 })
    expect(printed.filter((line) => line.includes('second time'))).toEqual([])
  })
})

describe('a step that names its inputs', () => {
  let root: string
  const long = (code = 'process.exit(require("./input.json"))'): Step => ({
    ...step('long', `process.chdir(${JSON.stringify(root)}); ${code.replace('./', `${root}/`)}`),
    inputs: ['*.json'],
  })
  const wasRun = () => printed.some((line) => /^long (?:ok|FAILED)/.test(line))
  const run = async (each: Step, keepsGreen = true) => {
    printed.length = 0
    return { ...(await runSteps([each], { keepsGreen, root })), wasRun: wasRun() }
  }
  const green = { passed: 1, failed: 0, wasRun: true }
  const kept = { passed: 0, failed: 0, wasRun: false }
  const red = { passed: 0, failed: 1, wasRun: true }
  const write = (text: string) => writeFileSync(join(root, 'input.json'), text)
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'signalbox-green-'))
    execFileSync('git', ['init', '--quiet'], { cwd: root })
    write('0')
  })
  afterEach(() => {
    rmSync(root, { recursive: true })
  })

  it('is not run again after it was green with them, and says so', async () => {
    expect(await run(long())).toEqual(green)
    expect(await run(long())).toEqual(kept)
    expect(printed.at(-1)).toBe(
      'long not run: its inputs are those of its last green run (--all runs it)',
    )
    expect(await run(long(), false)).toEqual(green)
  })

  it('is run again when one of them differs, is new, or is gone, and its fault is found', async () => {
    await run(long())
    write('3')
    expect(await run(long())).toEqual(red)
    // What was red is run until it is green.
    expect(await run(long())).toEqual(red)
    write('0')
    expect(await run(long())).toEqual(kept)
    writeFileSync(join(root, 'new.json'), '1')
    expect(await run(long())).toEqual(green)
    rmSync(join(root, 'new.json'))
    expect(await run(long())).toEqual(green)
    // What is no input of it changes nothing.
    writeFileSync(join(root, 'new.md'), '1')
    expect(await run(long())).toEqual(kept)
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
      const known = new Set(listInputs(inputs))
      const tests = globSync([...(testsOf[name] ?? [])], { cwd: repository })
      expect(tests.length).toBeGreaterThan(1)
      const imported = new Set(tests.flatMap((path) => [...importedBy(path)]))
      expect([...imported].filter((path) => !known.has(path))).toEqual([])
    },
  )
})
