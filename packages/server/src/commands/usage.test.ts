import { afterAll, expect, it } from 'vitest'
import { killServers, runServer, runServerHere } from './testing/server-process.ts'

afterAll(() => killServers())

it('refuses words that a command does not take, in one sentence and with what to do', async () => {
  const { exitCode, stderr } = await runServerHere({ args: ['start', 'extra'] })
  expect(stderr).toBe('✗ start does not take "extra".\n  fix: signalbox-server --help\n')
  expect(exitCode).toBe(2)
})

it('refuses in the form of the command line with --json', async () => {
  const { exitCode, stdout, stderr } = await runServer({ args: ['strat', '--json'] })
  expect(JSON.parse(stderr)).toEqual({
    error: {
      code: 'usage',
      message: 'There is no command "strat".',
      hint: 'Did you mean signalbox-server start?',
      docs: null,
    },
  })
  expect([exitCode, stdout]).toEqual([2, ''])
})

it('lists the commands where none is similar', async () => {
  const { exitCode, stderr } = await runServerHere({ args: ['nope'] })
  expect(stderr).toContain('✗ There is no command "nope".\n  fix: Commands: start, ')
  expect(exitCode).toBe(2)
})

it('lists every wrong setting as details, whichever part of the service reads it', async () => {
  const env = {
    SIGNALBOX_API_PRT: '1',
    SIGNALBOX_RATE_LIMITS: 'write=fast',
    SIGNALBOX_TRUSTED_PROXIES: '10.0.0.0/8,proxy-1,proxy-2',
    SIGNALBOX_EGRESS_ALLOW: 'a b',
  }
  const { exitCode, stderr } = await runServerHere({ args: ['start', '--json'], env })
  const { error } = JSON.parse(stderr)
  expect(error).toMatchObject({ code: 'invalid_settings', message: 'The settings are not valid.' })
  expect(error.details).toEqual([
    expect.stringContaining('SIGNALBOX_API_PRT is not a setting'),
    expect.stringContaining('"write=fast"'),
    expect.stringContaining('"proxy-1"'),
    expect.stringContaining('"proxy-2"'),
    expect.stringContaining('"a b"'),
  ])
  expect(exitCode).toBe(2)
})

it('shows the settings and says what start would refuse', async () => {
  const env = { SIGNALBOX_API_PRT: '1' }
  const { exitCode, stdout, stderr } = await runServerHere({ args: ['env'], env })
  expect(stdout).toContain('SIGNALBOX_API_PORT')
  expect(stderr).toBe('✗ SIGNALBOX_API_PRT is not a setting. Did you mean SIGNALBOX_API_PORT?\n')
  expect(exitCode).toBe(2)
  expect(await runServerHere({ args: ['env'] })).toMatchObject({ exitCode: 0, stderr: '' })
})
