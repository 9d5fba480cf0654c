import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runSteps } from '../scripts/check/run-steps.ts'
import type { Step } from '../scripts/check/steps.ts'

const printed: string[] = []
const step = (name: string, code: string, limitMinutes = 1): Step => ({
  name,
  commands: [['node', '-e', code]],
  limitMinutes,
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
    expect(printed).toContainEqual(expect.stringMatching(/^one ok in \d+\.\d s$/))
  })

  it('stops at the first that fails, and names what did not run', async () => {
    const steps = [step('one', '0'), step('two', 'process.exit(3)'), step('three', '0')]
    expect(await runSteps(steps)).toEqual({ passed: 1, failed: 1 })
    expect(printed).toContainEqual(expect.stringMatching(/^two FAILED in/))
    expect(printed.at(-1)).toBe('not run: three')
  })

  it('ends a step that hangs, and its children', async () => {
    const hangs = "require('node:child_process').spawnSync('sleep', ['60'])"
    expect(await runSteps([step('one', hangs, 0.01)])).toEqual({ passed: 0, failed: 1 })
    expect(printed).toContain('node did not end within 0.01 minutes.')
  })

  it('fails a step whose program is missing', async () => {
    const missing: Step = { name: 'one', commands: [['no-such-program']], limitMinutes: 1 }
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
