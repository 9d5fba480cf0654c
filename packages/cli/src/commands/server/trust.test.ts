import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { beforeEach, describe, expect, it } from 'vitest'
import { addSchema, testToken } from '../../testing/stand-in-state.ts'
import { withStandIn } from '../../testing/with-server.ts'

const { server, place } = withStandIn({ schema: 'web' })
/** Leads to the stand-in and is no loopback address by its name. */
let outside: string

const inTheClear = { SIGNALBOX_ALLOW_HTTP: '1' }
const nobody = 65_534

beforeEach(() => {
  outside = server.url.replace('127.0.0.1', '0.0.0.0')
})

function writeProject(project: object, directory = place.directory): string {
  const path = join(directory, '.signalbox.json')
  writeFileSync(path, JSON.stringify(project))
  return path
}

// Only root can give a file to somebody else; the rule itself is tested beside it as every user.
describe.runIf(process.getuid?.() === 0)('a file of another user', () => {
  it('above the directory neither gets the token nor runs', async () => {
    const above = dirname(place.directory)
    const definition = join(above, 'signalbox.config.ts')
    const sign = join(above, 'it-ran')
    writeFileSync(
      definition,
      `import fs from 'node:fs'\nfs.writeFileSync('${sign}', '')\nexport default {}\n`,
    )
    const path = writeProject({ server: server.url, config: 'signalbox.config.ts' }, above)
    for (const each of [path, definition]) chownSync(each, nobody, nobody)
    const env = { SIGNALBOX_URL: undefined }
    for (const args of [['whoami'], ['push', '--dry-run', '--env', 'development'], ['check']]) {
      const result = await place.run(args, { env })
      expect(result).toMatchObject({ code: 5, stdout: '' })
      expect(result.stderr).toContain(`${path} belongs to another user`)
    }
    expect(server.seen).toEqual([])
    chownSync(path, 0, 0)
    const unlinked = await place.run(['check'], { env })
    expect(unlinked.stderr).toContain(`${definition} belongs to another user`)
    expect(existsSync(sign)).toBe(false)
    await place.run(['check'], { env: { ...env, SIGNALBOX_SAFE_DIRECTORY: above } })
    expect(existsSync(sign)).toBe(true)
  })

  it('is not run as the server either', async () => {
    const directory = join(place.directory, 'node_modules/@signalbox/server')
    mkdirSync(join(directory, 'dist'), { recursive: true })
    const manifest = join(directory, 'package.json')
    writeFileSync(manifest, '{ "name": "@signalbox/server", "type": "module" }')
    writeFileSync(join(directory, 'dist/main.js'), `console.log('it ran')`)
    expect((await place.run(['start'])).stdout).toContain('it ran')
    chownSync(manifest, nobody, nobody)
    const result = await place.run(['start'])
    expect(result).toMatchObject({ code: 5, stdout: '' })
  })

  it('is not loaded as the SDK that an import is compared with', async () => {
    const directory = join(place.directory, 'node_modules/@growthbook/growthbook')
    mkdirSync(directory, { recursive: true })
    const sign = join(place.directory, 'it-ran')
    const sdk = join(directory, 'index.js')
    writeFileSync(sdk, `require('node:fs').writeFileSync('${sign}', '')`)
    writeFileSync(join(place.directory, 'features.json'), '{ "features": { "a": {} } }')
    writeFileSync(join(place.directory, 'contexts.jsonl'), '{ "targetingKey": "a" }')
    const args = ['import', 'growthbook', 'features.json', '--env', 'production']
    const compare = () => place.run([...args, '--compare', 'contexts.jsonl'])
    chownSync(sdk, nobody, nobody)
    const result = await compare()
    expect(result).toMatchObject({ code: 5, stdout: '' })
    expect(result.stderr).toContain(`${sdk} belongs to another user`)
    expect(existsSync(sign)).toBe(false)
    chownSync(sdk, 0, 0)
    await compare()
    expect(existsSync(sign)).toBe(true)
  })
})

describe('a token that is bound to no server', () => {
  const env = { ...inTheClear, SIGNALBOX_URL: undefined }

  it('is not sent to one that only the project names', async () => {
    const path = writeProject({ server: outside })
    const fromVariable = await place.run(['whoami'], { env })
    expect(fromVariable.code).toBe(4)
    expect(fromVariable.stderr).toContain(`only ${path} names that server`)
    expect(fromVariable.stderr).toContain(`SIGNALBOX_URL=${outside}`)
    const piped = { env: { ...env, SIGNALBOX_TOKEN: undefined }, stdin: testToken }
    for (const command of ['whoami', 'login']) {
      expect(await place.run([command, '--token-stdin'], piped)).toMatchObject({ code: 4 })
    }
    expect(server.seen).toEqual([])
  })

  it('is not handed to a program together with the address of such a server', async () => {
    writeProject({ server: outside, environment: 'development' })
    const program = ['--', process.execPath, '-e', 'console.log(process.env.SIGNALBOX_URL)']
    const result = await place.run(['run', '--offline', ...program], { env })
    expect(result).toMatchObject({ code: 4, stdout: '' })
  })

  it('is sent once the variable or the flag names the same server', async () => {
    writeProject({ server: outside })
    expect(await place.run(['whoami'], { env: { ...env, SIGNALBOX_URL: outside } })).toMatchObject({
      code: 0,
    })
    expect(await place.run(['whoami', '--server', outside], { env })).toMatchObject({ code: 0 })
  })

  it('is sent to a server the user has signed in to', async () => {
    writeProject({ server: outside })
    const options = { env: { ...env, SIGNALBOX_TOKEN: undefined }, stdin: testToken }
    expect(await place.run(['login', '--token-stdin', '--server', outside], options)).toMatchObject(
      { code: 0 },
    )
    expect(await place.run(['whoami'], { env })).toMatchObject({ code: 0 })
  })

  it('is sent to this machine', async () => {
    writeProject({ server: server.url })
    expect(await place.run(['whoami'], { env })).toMatchObject({ code: 0 })
  })
})

describe('a connection that is not encrypted', () => {
  it('off this machine carries no token, whichever command', async () => {
    const commands = [
      ['whoami'],
      ['login', '--token-stdin'],
      ['get', '--env', 'development'],
      ['environments', 'list'],
      ['run', '--env', 'development', '--', 'true'],
    ]
    for (const args of commands) {
      const result = await place.run(['--server', outside, ...args], { stdin: testToken })
      expect(result).toMatchObject({ code: 2, stdout: '' })
      expect(result.stderr).toContain('is not encrypted')
    }
    await place.run(['init', '--yes', '--server', outside])
    expect(server.seen).toEqual([])
  })

  it('is used once the user says that nobody listens', async () => {
    const allowed = await place.run(['whoami', '--server', outside], { env: inTheClear })
    expect(allowed).toMatchObject({ code: 0 })
  })
})

describe('a variable that steers programs', () => {
  const keys = [
    'nodeOptions',
    'path',
    'ldPreload',
    'bashEnv',
    'dyldInsertLibraries',
    'gitSsh_command',
  ]
  const names = [
    'NODE_OPTIONS',
    'PATH',
    'LD_PRELOAD',
    'BASH_ENV',
    'DYLD_INSERT_LIBRARIES',
    'GIT_SSH_COMMAND',
  ]
  const served =
    'Object.entries(process.env).filter(([, value]) => value === "--no-warnings").map(([name]) => `${name}=`).join()'
  const print = ['--', process.execPath, '-p', 'process.env.NODE_OPTIONS']

  beforeEach(() => {
    server.state.schemas.length = 0
  })

  function declare(declared: readonly string[]): void {
    const value = { type: 'string', tier: 'public', default: '--no-warnings' } as const
    addSchema(server.state, 'web', Object.fromEntries(declared.map((key) => [key, value])))
  }

  it('is neither set by run nor written by pull, which serve all others', async () => {
    declare([...keys, 'apiUrl'])
    for (const args of [
      ['run', '--env', 'development', '--', process.execPath, '-p', served],
      ['run', '--override', '--env', 'development', '--', process.execPath, '-p', served],
      ['pull', '--env', 'development', '--format', 'sh', '--output', '-'],
    ]) {
      const result = await place.run(args)
      expect(result.code).toBe(0)
      expect(result.stdout).toContain('API_URL')
      for (const name of names) {
        expect(result.stdout).not.toContain(`${name}=`)
        expect(result.stderr).toContain(`(${name}): ${name} could run code`)
      }
      expect(result.stderr).toContain('--allow-variable')
    }
  })

  it('is set when it is allowed by name, and no other with it', async () => {
    declare(['nodeOptions'])
    const allow = (name: string) => ['--allow-variable', name]
    const run = ['run', '--env', 'development']
    expect(await place.run([...run, ...allow('NODE_OPTIONS,PATH'), ...print])).toMatchObject({
      code: 0,
      stdout: '--no-warnings\n',
    })
    expect(await place.run([...run, ...allow('PATH'), ...print])).toMatchObject({
      code: 0,
      stdout: 'undefined\n',
    })
    const pull = ['pull', '--env', 'development', ...allow('NODE_OPTIONS')]
    expect(await place.run(pull)).toMatchObject({ code: 0 })
  })

  it('is data like any other in a file that no shell reads', async () => {
    declare(['path'])
    const pull = ['pull', '--env', 'development', '--format', 'json', '--output', '-']
    expect((await place.run(pull)).stdout).toContain('"PATH"')
  })

  it('leaves names alone that only look alike', async () => {
    declare(['pathPrefix', 'env', 'homepage', 'githubToken', 'ldapUrl'])
    const result = await place.run(['run', '--env', 'development', '--dry-run', ...print])
    expect(result.stdout).toContain('PATH_PREFIX ENV HOMEPAGE GITHUB_TOKEN LDAP_URL')
  })
})
