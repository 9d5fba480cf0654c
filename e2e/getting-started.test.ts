import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  hasTerminal,
  typeInTerminal,
  type Step,
} from '../packages/cli/src/testing/type-in-terminal.ts'
import { openBrowser } from './browser.ts'
import { setUpInBrowser, type FirstKeys } from './first-owner.ts'
import { startService, type ServiceProcess } from './start-service.ts'
import { createFromTemplate, listBlocks, type TemplateProject } from './template-project.ts'

let base: string
let service: ServiceProcess
let browser: Browser
let page: Page
let keys: FirstKeys
let app: TemplateProject
let env: Readonly<Record<string, string | undefined>>

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'signalbox-started-'))
  // PostgreSQL runs as another user when the tests run as root, and has to pass through.
  await chmod(base, 0o711)
  service = await startService({ env: { SIGNALBOX_DATA_DIR: join(base, 'data') } })
  browser = await openBrowser()
  page = await browser.newPage()
  keys = await setUpInBrowser(page, service.setupUrl)
  app = await createFromTemplate('mkdir app')
  const home = join(base, 'home')
  await mkdir(home)
  env = { PATH: process.env['PATH'], HOME: home, NO_COLOR: '1' }
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await app?.remove()
  await rm(base, { recursive: true, force: true })
})

/** Signs the command line in, as a person does who opens the link that it shows. */
async function authorize(screen: string): Promise<string> {
  const [link = ''] = /http:\S+device\S*/.exec(screen) ?? []
  const [code = ''] = /[A-Z0-9]{4}-[A-Z0-9]{4}/.exec(screen) ?? []
  await page.goto(link)
  await page.getByLabel('Code shown on the device').fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Authorize' }).click()
  return ''
}

/** Maps what a command ends with to what a person answers to its questions. */
const answers = (): readonly (readonly [command: string, steps: readonly Step[]])[] => [
  [
    'login',
    [
      ['Address of the server', `${service.apiUrl}\r`],
      ['device', authorize],
    ],
  ],
  [
    'init',
    [
      ['Address', '\r'],
      ['chema', '\r'],
      ['nvironment', '\r'],
    ],
  ],
  ['push --env development', [['?', 'y']]],
  ['set sessionSecret', [['Value of sessionSecret', 'a-secret-of-this-test\r']]],
]

/** Types the lines of a block one after the other, and returns what the screen showed. */
async function type(block: string): Promise<string> {
  let shown = ''
  for (const line of block.split('\n')) {
    const [, steps = []] = answers().find(([command]) => line.endsWith(command)) ?? []
    const { code, screen } = await typeInTerminal({ directory: app.directory, env }, line, steps)
    if (code !== 0) throw new Error(`${line} ended with ${code}:\n${screen}`)
    shown += screen
  }
  return shown
}

/** Starts a line that goes on running. `shows` waits until it has printed a text. */
function start(line: string) {
  const child = spawn(line, { cwd: app.directory, env, shell: true, detached: true })
  let printed = ''
  const shows = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => printed.includes(text) && resolve()
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          printed += chunk.toString()
          look()
        })
      }
      child.once('close', (code) => reject(new Error(`${line} ended with ${code}:\n${printed}`)))
      look()
    })
  return {
    shows,
    async stop() {
      // The whole group of the shell: npx, the command line and the program.
      process.kill(-(child.pid ?? 0), 'SIGTERM')
      await once(child, 'close')
    },
  }
}

const blocks = listBlocks('getting-started')
const [, install, connect, declare, run, flip, target, runWithout] = blocks
  .filter(({ language }) => language === 'sh')
  .map(({ text }) => text)
const program = blocks.find(({ language }) => language === 'ts')?.text
const ownLine = blocks.find(({ language }) => language === 'ini')?.text

describe.runIf(hasTerminal)('an empty directory in which somebody follows the first guide', () => {
  it('gets the command line, which signs in and writes the definition', async () => {
    await type(install ?? '')
    await type(connect ?? '')
    expect(await readdir(app.directory)).toEqual(
      expect.arrayContaining(['.env.local', '.signalbox.json', 'signalbox.config.ts']),
    )
  }, 120_000)

  it('declares the keys and sets values, the secret without showing it', async () => {
    const screen = await type(declare ?? '')
    expect(screen).toContain('apiUrl')
    expect(screen).not.toContain('a-secret-of-this-test')
  })

  it('runs a program that sees the flag flip without a restart', async () => {
    await app.write('app.mjs', program ?? '')
    await appendFile(
      join(app.directory, '.env.local'),
      `${ownLine?.replace('sbx_m2m_…', keys.server)}\n`,
    )
    const running = start(run ?? '')
    await running.shows('apiUrl: https://api.example.com')
    await running.shows('newCheckout: false')
    await type(flip ?? '')
    await expect(running.shows('newCheckout: true')).resolves.toBeUndefined()
    await running.stop()
  })

  it('serves another number to some users', async () => {
    const screen = await type(target ?? '')
    expect(screen).toContain('5 → 5 · 50 where plan is pro')
    expect(screen).toMatch(/1\. +Serves 50 where plan is pro +rul_/)
  })

  it('runs a program without the client, which finds the values in its environment', async () => {
    const names = ['API_URL', 'TIMEOUT_MS', 'SEATS', 'SESSION_SECRET', 'NEW_CHECKOUT']
    const text = `for (const name of ${JSON.stringify(names)}) console.log(name, process.env[name])`
    await app.write('server.js', text)
    const screen = await type(runWithout ?? '')
    expect(screen).toContain('API_URL https://api.example.com')
    expect(screen).toContain('NEW_CHECKOUT true')
    expect(screen).not.toContain('undefined')
  })
})
