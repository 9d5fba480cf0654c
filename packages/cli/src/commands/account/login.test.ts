import { hostname } from 'node:os'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RealServer, openRealServer } from '../../testing/real-server.ts'
import { createTestDirectory, type TestDirectory } from '../../testing/run-cli.ts'
import { runInTerminal } from '../../testing/run-in-terminal.ts'
import { hasTerminal } from '../../testing/type-in-terminal.ts'
import { startStandIn } from '../../testing/stand-in.ts'

let server: RealServer
let place: TestDirectory

beforeAll(async () => {
  server = await openRealServer()
})
beforeEach(() => {
  const made = createTestDirectory(server.url)
  place = { ...made, env: { ...made.env, SIGNALBOX_TOKEN: undefined } }
})
afterEach(() => place.remove())

const waiting = 'Ctrl+C cancels.'
const asNobody = { SIGNALBOX_TOKEN: undefined }
const whoAmI = () => place.run(['whoami'], { env: asNobody })

describe.runIf(hasTerminal)('signalbox login on a terminal', () => {
  it('shows a code, waits until it is approved in a browser, and keeps the token it gets', async () => {
    const browser = await server.openBrowser()
    let deviceName = ''
    const approve = async (screen: string) => {
      expect(screen).toContain(`Open ${server.url}/device in a browser`)
      ;({ deviceName } = await browser.answerDevice(screen, 'approve'))
      return ''
    }
    const result = await runInTerminal(place, ['login'], [[waiting, approve]])
    expect(result.screen).toContain(`Signed in to ${server.url} as Ada <${browser.email}>`)
    expect(result.code).toBe(0)
    expect(result.screen).not.toContain('sbx_pat_')
    expect(deviceName).toBe(hostname())
    expect((await whoAmI()).stdout).toContain(browser.email)
  })

  it('says so when it is refused, and keeps nothing', async () => {
    const browser = await server.openBrowser()
    const deny = async (screen: string) => {
      await browser.answerDevice(screen, 'deny')
      return ''
    }
    const result = await runInTerminal(place, ['login'], [[waiting, deny]])
    expect(result.code).toBe(4)
    expect(result.screen).toContain('The sign-in was denied in the browser.')
    expect(result.screen).toContain('signalbox login')
    expect((await whoAmI()).code).toBe(4)
  })

  it('ends with Ctrl-C at once, and keeps nothing', async () => {
    const result = await runInTerminal(place, ['login'], [[waiting, '\u0003']])
    expect(result.code).toBe(130)
    expect(result.screen).toContain('Cancelled. No token was stored.')
    expect((await whoAmI()).code).toBe(4)
  })

  it('shows the code with --quiet too', async () => {
    const result = await runInTerminal(place, ['login', '--quiet'], [[waiting, '\u0003']])
    expect(result.screen).toMatch(/[B-Z]{4}-[B-Z]{4}/)
  })

  it('asks for nothing with --dry-run', async () => {
    const result = await runInTerminal(place, ['login', '--dry-run'], [])
    expect(result.code).toBe(0)
    expect(result.screen).toContain('Would ask you to authorize this machine')
  })

  it('says what else there is when the server is too old for it', async () => {
    const old = await startStandIn()
    old.failures.push({ status: 404, code: 'not_found' })
    const result = await runInTerminal(place, ['login', '--server', old.url], [])
    expect(result.code).toBe(1)
    expect(result.screen).toContain('signalbox login --token')
    await old.close()
  })
})

describe('signalbox login without a terminal', () => {
  it('waits for nobody, and says how to give it a token', async () => {
    const result = await place.run(['login'], { env: asNobody })
    expect(result.code).toBe(2)
    expect(result.stderr).toContain("Can't prompt for sign-in: stdin isn't")
    expect(result.stderr).toContain('signalbox login --token-stdin')
  })

  it('says first that no server is at the address, and what names it', async () => {
    const env = { ...asNobody, SIGNALBOX_URL: 'http://127.0.0.1:9' }
    const result = await place.run(['login'], { env })
    expect(result.code).toBe(7)
    expect(result.stderr).toContain('Cannot reach http://127.0.0.1:9: ')
    expect(result.stderr).toContain('SIGNALBOX_URL')
    expect(result.stderr).not.toContain('--token-stdin')
  })
})
