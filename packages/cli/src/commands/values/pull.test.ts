import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { addSchema } from '../../testing/stand-in-state.ts'
import { withStandIn } from '../../testing/with-server.ts'

const { server, place } = withStandIn({ schema: 'web' })

const file = (name: string) => join(place.directory, name)
const read = (name: string) => readFileSync(file(name), 'utf8')
const pull = (...args: string[]) => place.run(['pull', '--env', 'development', ...args])
const setSecret = (value: string) =>
  place.run(['set', 'stripeKey', '--env', 'development'], { stdin: value })

describe('pull', () => {
  it('writes the values between two marker lines, for its owner alone, ignored by git', async () => {
    await setSecret('sk_test_1')
    const result = await pull()
    expect(result.code).toBe(0)
    expect(result.stdout).toContain(
      '.env.local  development v1 · 4 values (1 secret) · dotenv dialect',
    )
    expect(result.stdout + result.stderr).not.toContain('sk_test_1')
    const text = read('.env.local')
    expect(text).toMatch(/^# >>> signalbox development v1 /)
    expect(text).toMatch(/# <<< signalbox\n$/)
    expect(parseEnv(text)).toMatchObject({
      API_URL: 'http://localhost:3000',
      STRIPE_KEY: 'sk_test_1',
    })
    expect(statSync(file('.env.local')).mode & 0o777).toBe(0o600)
    expect(read('.gitignore')).toContain('.env.local')
  })

  it('writes no ignore file outside of the project, and warns of another repository', async () => {
    const outside = join(place.home, 'x.env')
    const git = (directory: string) => execFileSync('git', ['init', '-q', directory])
    expect(await pull('--output', outside)).toMatchObject({ code: 0 })
    git(place.directory)
    const result = await pull('--output', outside)
    expect(result).toMatchObject({ code: 0 })
    expect(result.stderr).not.toContain('repository')
    git(place.home)
    expect((await pull('--output', outside)).stderr).toContain('does not ignore it')
    const data = await pull('--format', 'json', '--yes', '--output', outside)
    expect(data.stderr).toContain('does not ignore it')
    expect(() => statSync(join(place.home, '.gitignore'))).toThrow('ENOENT')
  })

  it('keeps git from a file anywhere in the repository of the project', async () => {
    execFileSync('git', ['init', '-q', file('..')])
    mkdirSync(file('../config'))
    expect(await pull('--output', '../config/x.env')).toMatchObject({ code: 0 })
    expect(read('../config/.gitignore')).toBe('x.env\n')
  })

  it('says that the directory is missing, or that a directory is in the place of the file', async () => {
    for (const format of ['auto', 'json']) {
      const missing = await pull('--format', format, '--output', file('nowhere/x'))
      expect(missing.code).toBe(2)
      expect(missing.stderr).toContain(`There is no directory ${file('nowhere')}.`)
      const directory = await pull('--format', format, '--output', place.directory)
      expect(directory.code).toBe(2)
      expect(directory.stderr).toContain(`${place.directory} is a directory.`)
    }
    expect(server.seen).toEqual([])
  })

  it('keeps the user\u2019s lines and the order, and replaces only its own block', async () => {
    await setSecret('one')
    writeFileSync(file('.env.local'), 'MINE=1\n')
    await pull()
    writeFileSync(file('.env.local'), `${read('.env.local')}ALSO_MINE=2\n`)
    await setSecret('two')
    const result = await pull()
    expect(result.stdout).toContain('~ STRIPE_KEY')
    const text = read('.env.local')
    expect(text.startsWith('MINE=1\n')).toBe(true)
    expect(text.endsWith('ALSO_MINE=2\n')).toBe(true)
    expect(text.match(/STRIPE_KEY=/g)).toHaveLength(1)
    expect(parseEnv(text)).toMatchObject({ MINE: '1', ALSO_MINE: '2', STRIPE_KEY: 'two' })
  })

  it('refuses a value that a reader would run, writes nothing, and points to run', async () => {
    await setSecret('$(touch pwned)')
    const result = await pull()
    expect(result.code).toBe(5)
    expect(result.stderr).toContain('STRIPE_KEY')
    expect(result.stderr).toContain('signalbox run')
    expect(() => statSync(file('.env.local'))).toThrow('ENOENT')
    expect(await pull('--allow-command-like')).toMatchObject({ code: 0 })
    expect(await pull('--format', 'sh')).toMatchObject({ code: 0 })
  })

  it('refuses a file tracked by git', async () => {
    writeFileSync(file('.env.local'), '')
    const git = (...args: string[]) => execFileSync('git', ['-C', place.directory, ...args])
    git('init', '-q')
    git('add', '.env.local')
    const result = await pull()
    expect(result.code).toBe(5)
    expect(result.stderr).toContain('git rm --cached .env.local')
    expect(read('.env.local')).toBe('')
  })

  it('refuses an open quote in a line of the user that would swallow the block', async () => {
    writeFileSync(file('.env.local'), 'MINE="never closed\n')
    await setSecret('say "hi"')
    const result = await pull('--format', 'node')
    expect(result.code).toBe(5)
    expect(read('.env.local')).toBe('MINE="never closed\n')
    expect(parseEnv('MINE="never closed\nSTRIPE_KEY=\'say "hi"\'\n')).not.toHaveProperty(
      'STRIPE_KEY',
    )
  })

  it('leaves out a secret whose variable browsers would get, whatever the format', async () => {
    addSchema(server.state, 'leaky', {
      viteToken: { type: 'string', tier: 'secret', default: 'canary' },
      apiUrl: { type: 'string', tier: 'public', default: 'x' },
    })
    writeFileSync(file('.signalbox.json'), JSON.stringify({ schema: 'leaky' }))
    for (const format of ['json', 'dotenv', 'k8s-secret']) {
      const result = await pull('--format', format, '--output', '-')
      expect(result.code).toBe(0)
      expect(result.stderr).toContain('left out: viteToken (VITE_TOKEN)')
      expect(result.stdout).not.toContain('VITE_TOKEN')
    }
    expect((await pull('--format', 'json', '--output', '-')).stdout).toContain('API_URL')
  })

  it('puts the prefix of the framework before public values and flags only', async () => {
    await setSecret('s')
    await pull('--format', 'vite', '--prefix', 'auto')
    const names = Object.keys(parseEnv(read('.env.local')))
    expect(names.toSorted()).toEqual([
      'STRIPE_KEY',
      'VITE_API_URL',
      'VITE_NEW_CHECKOUT',
      'VITE_TIMEOUT_MS',
    ])
  })

  it.each(['pull', 'run'])(
    'refuses a prefix of %s with which two keys become one variable, or that begins none',
    async (command) => {
      const key = { type: 'string', tier: 'public', default: 'x' } as const
      addSchema(server.state, 'twice', { apiUrl: key, viteApiUrl: key })
      writeFileSync(file('.signalbox.json'), JSON.stringify({ schema: 'twice' }))
      const ends = command === 'run' ? ['--', 'true'] : ['--output', '-']
      const ask = (...more: string[]) =>
        place.run([command, '--env', 'development', ...more, ...ends])
      expect((await ask()).code).toBe(0)
      const twice = await ask('--prefix', 'VITE_')
      expect(twice.code).toBe(5)
      expect(twice.stderr).toContain('VITE_API_URL: apiUrl, viteApiUrl')
      const wrong = await ask('--prefix', 'MY APP=')
      expect(wrong.code).toBe(2)
      expect(wrong.stderr).toContain('--prefix takes letters, digits and _')
    },
  )

  it('takes the format from package.json', async () => {
    writeFileSync(file('package.json'), JSON.stringify({ dependencies: { next: '16' } }))
    expect((await pull()).stdout).toContain('next dialect')
  })

  it('writes typed JSON to stdout and nothing else', async () => {
    const result = await pull('--format', 'json', '--output', '-')
    expect(JSON.parse(result.stdout)).toMatchObject({ TIMEOUT_MS: 3000, NEW_CHECKOUT: false })
    expect(result.stderr).toContain('no value yet: stripeKey')
  })

  it('writes the secrets as a Kubernetes Secret, and the others as a ConfigMap', async () => {
    await setSecret('sk_canary')
    const secret = await pull('--format', 'k8s-secret', '--output', '-', '--namespace', 'shop')
    expect(secret).toMatchObject({ code: 0 })
    expect(parse(secret.stdout)).toMatchObject({
      kind: 'Secret',
      metadata: {
        name: 'web',
        namespace: 'shop',
        annotations: { 'signalbox.dev/version': '1', 'signalbox.dev/environment': 'development' },
      },
      data: { STRIPE_KEY: Buffer.from('sk_canary').toString('base64') },
    })
    expect(secret.stdout).not.toContain('API_URL')
    const map = await pull('--format', 'k8s-configmap', '--name', 'web-open')
    expect(map.stdout).toContain('k8s-configmap.yaml  development v1')
    const text = read('k8s-configmap.yaml')
    expect(parse(text)).toMatchObject({
      kind: 'ConfigMap',
      metadata: { name: 'web-open' },
      data: { API_URL: 'http://localhost:3000', TIMEOUT_MS: '3000', NEW_CHECKOUT: 'false' },
    })
    expect(text).not.toContain('STRIPE')
    expect(statSync(file('k8s-configmap.yaml')).mode & 0o777).toBe(0o644)
    await pull('--format', 'k8s-secret')
    expect(statSync(file('k8s-secret.yaml')).mode & 0o777).toBe(0o600)
    expect(read('.gitignore')).toContain('k8s-secret.yaml')
    expect(read('.gitignore')).not.toContain('k8s-configmap.yaml')
  })

  it('leaves variables that control programs out of a Kubernetes object, and refuses its flags elsewhere', async () => {
    addSchema(server.state, 'steering', {
      nodeOptions: { type: 'string', tier: 'public', default: '--require ./x' },
    })
    writeFileSync(file('.signalbox.json'), JSON.stringify({ schema: 'steering' }))
    const result = await pull('--format', 'k8s-configmap', '--output', '-')
    expect(result.code).toBe(0)
    expect(result.stderr).toContain('left out: nodeOptions (NODE_OPTIONS)')
    expect(parse(result.stdout)).toMatchObject({ data: {} })
    expect(result.stdout).not.toContain('NODE_OPTIONS')
    const allowed = ['--allow-variable', 'NODE_OPTIONS', '--output', '-']
    expect(await pull('--format', 'k8s-configmap', ...allowed)).toMatchObject({ code: 0 })
    const wrong = await pull('--name', 'web')
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain('--format k8s-secret')
  })

  it('--dry-run writes nothing', async () => {
    expect((await pull('--dry-run')).stdout).toContain('Would write .env.local')
    expect(() => statSync(file('.env.local'))).toThrow('ENOENT')
  })
})
