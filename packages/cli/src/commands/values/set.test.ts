import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { oneOfEach, writeDefinition } from '../../testing/definition-files.ts'
import { type RealServer, startRealServer } from '../../testing/real-server.ts'
import { createTestDirectory, type TestDirectory } from '../../testing/run-cli.ts'

vi.setConfig({ testTimeout: 90_000 })

let server: RealServer
let place: TestDirectory
const development = ['--env', 'development']

beforeAll(async () => {
  server = await startRealServer()
  place = createTestDirectory(server.url, server.token)
  writeFileSync(join(place.directory, '.signalbox.json'), '{ "schema": "set" }')
  writeDefinition(place, oneOfEach.replace("prefix: 'sk_'", ''))
  await place.run(['push', ...development, '--yes'])
})
afterAll(async () => {
  place.remove()
  await server.remove()
})

const pem = '-----BEGIN CERTIFICATE-----\r\nMIIB\r\n-----END CERTIFICATE-----\r\n'
const set = (...args: string[]) =>
  place.run(['set', 'stripeKey', ...development, ...args], { stdin: pem })
const stored = async () => {
  const print = ['-p', 'JSON.stringify(process.env.STRIPE_KEY)']
  const { stdout } = await place.run(['run', ...development, '--', process.execPath, ...print])
  return JSON.parse(stdout) as unknown
}

describe('a value with the line ends of Windows', () => {
  it('is not stored unasked, and both ways are named', async () => {
    const { code, stderr } = await set()
    expect(code).toBe(2)
    expect(stderr).toContain('--crlf lf')
    expect(stderr).toContain('--crlf keep')
    expect(stderr).not.toContain('MIIB')
  })

  it('is converted, or kept byte by byte, as the person says', async () => {
    expect(await set('--crlf', 'lf')).toMatchObject({ code: 0 })
    expect(await stored()).toBe(pem.replaceAll('\r\n', '\n').trim())
    expect(await set('--crlf', 'keep')).toMatchObject({ code: 0 })
    expect(await stored()).toBe(pem.trim())
  })
})

it('a fraction in the place of a whole number is refused in these words', async () => {
  const { code, stderr } = await place.run([
    'set',
    'timeoutMs',
    '1.5',
    '--no-validate',
    ...development,
  ])
  expect(code).toBe(5)
  expect(stderr).toContain('Give a whole number.')
})

it('an empty input for a secret is refused with what works for a secret', async () => {
  const { code, stderr } = await place.run(['set', 'stripeKey', ...development], { stdin: '' })
  expect(code).toBe(2)
  expect(stderr).toContain('signalbox set stripeKey --env development < file')
  expect(stderr).not.toContain("''")
})
