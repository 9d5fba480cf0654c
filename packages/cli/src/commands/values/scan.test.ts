import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { beforeEach, describe, expect, it } from 'vitest'
import { oneOfEach, writeDefinition } from '../../testing/definition-files.ts'
import { testToken } from '../../testing/stand-in-state.ts'
import { withStandIn } from '../../testing/with-server.ts'

const { server, place } = withStandIn({ schema: 'web' })

const secret = 'sk_live_4Xq9Zt7Lw2'

beforeEach(async () => {
  mkdirSync(join(place.directory, 'dist/assets'), { recursive: true })
  await place.run(['set', 'stripeKey', '--env', 'production', '--yes'], { stdin: secret })
})

const write = (name: string, text: string) =>
  writeFileSync(join(place.directory, 'dist', name), text)

interface ScanResult {
  readonly leaks: readonly Readonly<Record<string, unknown>>[]
}
const scan = async (...args: string[]) => {
  const result = await place.run(['scan', '--json', ...args])
  expect(result.stdout + result.stderr).not.toContain(secret)
  return { code: result.code, ...(JSON.parse(result.stdout) as ScanResult) }
}

describe('scan', () => {
  it('finds values as they are, in base64 and in source maps: by file, line and key', async () => {
    const coded = Buffer.from(`Basic ${secret}:`).toString('base64')
    write('index.js', `console.log(1)\nconst key = "${secret}"\n`)
    write('assets/b.js', `atob("${coded}")`)
    const map = { version: 3, sources: ['src/pay.ts'], sourcesContent: [`\n\nlet k = '${secret}'`] }
    write('assets/b.js.map', JSON.stringify({ ...map, mappings: '' }))
    const { code, leaks } = await scan()
    expect(code).toBe(5)
    expect(leaks).toMatchObject([
      { kind: 'value', path: 'assets/b.js', line: 1, form: 'base64', key: 'stripeKey' },
      { kind: 'value', path: 'assets/b.js.map, of src/pay.ts', line: 3, key: 'stripeKey' },
      { path: 'index.js', line: 2, column: 14, key: 'stripeKey', environments: ['production'] },
    ])
  })

  it('says it to people, never with the value', async () => {
    write('index.js', `\nconst key = "${secret}"\n`)
    const result = await place.run(['scan'])
    expect(result.code).toBe(5)
    expect(result.stdout).toContain(
      "✗ index.js:2:14 holds the value of the secret 'stripeKey of production'",
    )
    expect(result.stdout + result.stderr).not.toContain(secret)
    write('index.js', 'console.log(1)')
    const clean = await place.run(['scan'])
    expect(clean.code).toBe(0)
    expect(clean.stdout).toContain('✓ dist holds none of 1 secret of development, production')
  })

  it('finds a token of a server, and the list of names, without asking anybody', async () => {
    writeDefinition(place, oneOfEach)
    write('index.js', `fetch("/", { token: "${testToken}" })\nconst schema = { stripeKey: 1 }`)
    const calls = server.seen.length
    const { code, leaks } = await scan('--names-only')
    expect(code).toBe(5)
    expect(leaks).toMatchObject([
      { kind: 'token', line: 1 },
      { kind: 'names', line: 2, keys: ['stripeKey'] },
    ])
    expect(server.seen).toHaveLength(calls)
  })

  it('reads a file of 40 MB in pieces, and finds what lies on a seam, once and at its line', async () => {
    const line = `${'x'.repeat(1023)}\n`
    const stream = createWriteStream(join(place.directory, 'dist/big.js'))
    const lines = 40 * 1024
    for (let at = 1; at <= lines; at += 1) {
      // 16 MiB are 16,384 lines: the secret begins in the last of them and ends in the next.
      const isSeam = at === 16 * 1024 || at === 33_000
      const text = isSeam ? `${'y'.repeat(1016)}${secret}\n` : line
      if (!stream.write(text)) await once(stream, 'drain')
    }
    stream.end()
    await once(stream, 'finish')
    const { leaks } = await scan('dist/big.js')
    expect(leaks).toMatchObject([
      { line: 16 * 1024, column: 1017 },
      { line: 33_000, column: 1017 },
    ])
  }, 120_000)

  it.each([
    ['a directory that is not there', ['nowhere'], 2, 'There is no nowhere.'],
    ['an environment that is not there', ['dist', '--env', 'prodution'], 1, 'production'],
  ])('says what is wrong: %s', async (_, args, code, words) => {
    const result = await place.run(['scan', ...args])
    expect(result).toMatchObject({ code, stdout: '' })
    expect(result.stderr).toContain(words)
  })

  it('with the server gone says so, and finds nothing clean', async () => {
    await server.close()
    expect(await place.run(['scan'])).toMatchObject({ code: 7, stdout: '' })
  })
})
