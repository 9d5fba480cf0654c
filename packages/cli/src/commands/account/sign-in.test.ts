import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RealServer, openRealServer } from '../../testing/real-server.ts'
import { createTestDirectory, type TestDirectory } from '../../testing/run-cli.ts'
import { runInTerminal } from '../../testing/run-in-terminal.ts'
import { hasTerminal } from '../../testing/type-in-terminal.ts'
import { type StandIn, startStandIn } from '../../testing/stand-in.ts'
import { testToken } from '../../testing/stand-in-state.ts'

let server: RealServer
let other: StandIn
let place: TestDirectory

beforeAll(async () => {
  server = await openRealServer()
  other = await startStandIn()
})
afterAll(() => other.close())
beforeEach(() => {
  const { env, ...rest } = createTestDirectory(server.url)
  place = {
    ...rest,
    env: { ...env, SIGNALBOX_URL: '', SIGNALBOX_TOKEN: '' },
    run: (args, options = {}) => rest.run(args, { ...options, env: nothingNamed }),
  }
})
afterEach(() => place.remove())

/** Nothing says which server is meant, and with which token. */
const nothingNamed = { SIGNALBOX_URL: undefined, SIGNALBOX_TOKEN: undefined }
const address = 'Address of the server'

const login = (url: string, token: string) =>
  place.run(['login', '--token-stdin', '--server', url], { stdin: token })
const project = () =>
  JSON.parse(readFileSync(join(place.directory, '.signalbox.json'), 'utf8')) as unknown

describe.runIf(hasTerminal)('on a terminal, where nothing names a server', () => {
  it('login --token asks for the address, then for the token of that server', async () => {
    const result = await runInTerminal(
      place,
      ['login', '--token'],
      [
        [address, `${server.url}\r`],
        [`Token for ${server.url}`, `${server.token}\r`],
      ],
    )
    expect(result.code).toBe(0)
    expect(result.screen).toContain(`Signed in to ${server.url}`)
    expect(await place.run(['whoami'])).toMatchObject({ code: 0 })
    // Enter takes the address that the question proposes.
    const again = await runInTerminal(
      place,
      ['login', '--token'],
      [
        [`${address} (Enter: ${server.url})`, '\r'],
        [`Token for ${server.url}`, '\u0003'],
      ],
    )
    expect(again.code).toBe(130)
  })

  it('init looks the organization up at the address that was typed', async () => {
    await login(server.url, server.token)
    await login(other.url, testToken)
    const result = await runInTerminal(
      place,
      ['init', '--schema', 'web', '--env', 'development'],
      [[address, `${server.url}\r`]],
    )
    expect(result.code).toBe(0)
    const { slug } = await server.call<{ slug: string }>('GET', '')
    expect(project()).toMatchObject({ server: server.url, organization: slug })
  })
})

describe('init before a sign-in, where nothing names a server', () => {
  it('says which address it writes, and where to change it', async () => {
    const result = await place.run(['init', '--schema', 'web'])
    expect(result).toMatchObject({ code: 0 })
    expect(project()).toMatchObject({ server: 'http://127.0.0.1:4400' })
    expect(result.stderr).toContain('so the address is http://127.0.0.1:4400')
    expect(result.stderr).toContain('Change "server" in .signalbox.json')
    const named = await place.run([
      'init',
      '--schema',
      'web',
      '--server',
      server.url,
      '--overwrite',
    ])
    expect(named.stderr).not.toContain('No server was named')
  })
})

describe('the server one is signed in to', () => {
  it('is used where nothing names another', async () => {
    await login(server.url, server.token)
    expect((await place.run(['whoami'])).stdout).toContain(server.url)
    expect(await place.run(['init', '--schema', 'web'])).toMatchObject({ code: 0 })
    expect(project()).toMatchObject({ server: server.url })
  })

  it('is not guessed among several, and all are named', async () => {
    await login(server.url, server.token)
    await login(other.url, testToken)
    const refused = await place.run(['whoami'])
    expect(refused.code).toBe(4)
    expect(refused.stderr).toContain('There is no token for http://127.0.0.1:4400')
    for (const url of [server.url, other.url]) expect(refused.stderr).toContain(url)
  })
})

describe('a browser key', () => {
  it('is refused by login with what to use instead, and not kept', async () => {
    const refused = await login(server.url, server.browserKey)
    expect(refused.code).toBe(4)
    expect(refused.stderr).toContain('Use a server key (sbx_m2m_) or a personal token (sbx_pat_).')
    expect(refused.stderr).not.toContain(server.browserKey)
    expect(await place.run(['whoami', '--server', server.url])).toMatchObject({ code: 4 })
  })
})
