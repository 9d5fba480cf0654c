import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../store/testing/test-database.ts'
import {
  hasTerminal,
  killServers,
  spawnServer,
  type ServerProcess,
} from './testing/server-process.ts'

let database: TestDatabase
let base: string

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), `signalbox-test-${process.pid}-`))
  database = await createTestDatabase()
})
afterAll(async () => {
  await killServers()
  await database.drop()
  await rm(base, { recursive: true, force: true })
})

const within = { timeout: 20_000 }
const screenOf = (service: ServerProcess) =>
  stripVTControlCharacters(service.output()).replaceAll('\r', '')

/** Starts it as a person does, asks it a few things, and returns the screen. */
async function useOnTerminal(env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const service = spawnServer({
    args: ['start'],
    terminal: true,
    env: {
      SIGNALBOX_ROOT_KEY: 'A'.repeat(43),
      DATABASE_URL: database.databaseUrl,
      SIGNALBOX_DATA_DIR: join(base, 'data'),
      ...env,
    },
  })
  await expect.poll(() => screenOf(service), within).toContain('Ctrl+C stops it.')
  const [, apiUrl] = /Dashboard +(http:\S+)/.exec(screenOf(service)) ?? []
  for (const path of ['/', '/me', '/nowhere']) await (await fetch(`${apiUrl}${path}`)).text()
  return service
}

/** Presses Ctrl+C. */
async function interrupt(service: ServerProcess): Promise<number | null> {
  service.child.stdin?.write('\u0003')
  return (await service.ended).exitCode
}

describe.runIf(hasTerminal)('start on a terminal', () => {
  it('prints the set-up link last, and no line for a request', async () => {
    const service = await useOnTerminal()
    expect(await interrupt(service)).toBe(0)
    const lines = screenOf(service).split('\n')
    const shown = lines.map((line) =>
      line.replaceAll(/http:\/\/[^/\s]+/g, 'http://…').replace(/#token=\S+/, '#token=…'),
    )
    expect(shown).toEqual([
      '',
      expect.stringMatching(/^ {2}Signalbox \d\S+ is ready$/),
      '',
      '  Dashboard   http://…',
      '  Delivery    http://…',
      '  Guide       http://…/docs/guide',
      `  Data        ${join(base, 'data')} (PostgreSQL of DATABASE_URL)`,
      '',
      '  Set it up   http://…/setup#token=…   (works once)',
      '',
      '  Ctrl+C stops it.',
      '',
      expect.stringMatching(/^(\^C)?\d\d:\d\d:\d\d {2}Stopping$/),
      '',
    ])
  })

  it.each([
    [
      'as short lines when every detail is asked for',
      { SIGNALBOX_LOG_LEVEL: 'debug' },
      /^\d\S+ {2}Request {2}requestId: req_/m,
    ],
    [
      'as JSON when JSON is asked for',
      { SIGNALBOX_LOG_FORMAT: 'json' },
      /^{"level":"info".*"message":"Request"}$/m,
    ],
  ])('prints requests %s', async (_, env, line) => {
    const service = await useOnTerminal(env)
    await expect.poll(() => screenOf(service)).toMatch(line)
    expect(await interrupt(service)).toBe(0)
  })
})
