import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { oneOfEach, writeDefinition } from '../../testing/definition-files.ts'
import { withRealServer } from '../../testing/with-server.ts'

vi.setConfig({ testTimeout: 90_000 })

const { server, place } = withRealServer()

const atDelivery = () => ({ SIGNALBOX_URL: server.configUrl })

describe('the link of a refusal', () => {
  it.each([
    ['of a token', ['whoami'], { SIGNALBOX_TOKEN: `sbx_m2m_${'b'.repeat(46)}` }],
    ['of a name', ['environments', 'create', 'A B'], {}],
    ['of a conflict', ['environments', 'create', 'staging'], {}],
  ])('%s leads to its section on the server that refused', async (_, args, env) => {
    const { stderr } = await place.run([...args, '--json'], { env })
    const { error }: { error: { code: string; docs: string } } = JSON.parse(stderr)
    expect(error.docs).toBe(`${server.url}/docs/problems#${error.code}`)
    const page = await fetch(error.docs, { headers: { accept: 'text/html' } })
    expect(page.status).toBe(200)
    expect(await page.text()).toContain(`id="${error.code}"`)
  })
})

describe('the two addresses of a server', () => {
  it('are both given to a program: of the API, and of the delivery that it reads', async () => {
    writeFileSync(join(place.directory, '.signalbox.json'), '{ "schema": "addresses" }')
    writeDefinition(place, oneOfEach)
    await place.run(['push', '--env', 'development', '--yes'])
    const script =
      'const { SIGNALBOX_URL, SIGNALBOX_CONFIG_URL } = process.env; console.log(JSON.stringify([SIGNALBOX_URL, SIGNALBOX_CONFIG_URL]))'
    const program = ['--', process.execPath, '-e', script]
    const run = (...flags: string[]) =>
      ['run', '--env', 'development', '--no-validate', ...flags].concat(program)
    const addresses = [server.url, server.configUrl]
    expect(JSON.parse((await place.run(run())).stdout)).toEqual(addresses)
    // Kept with the values: there is no server to ask.
    expect(JSON.parse((await place.run(run('--offline'))).stdout)).toEqual(addresses)
  })

  it.each([[['whoami']], [['get', '--env', 'development']], [['login', '--token-stdin']]])(
    'are told apart: %s of the delivery\u2019s says which it is and which to use',
    async (args) => {
      const { stderr, code } = await place.run(args, { env: atDelivery(), stdin: server.token })
      expect(code).toBe(2)
      expect(stderr).toContain(`${server.configUrl} is the address that applications read`)
      expect(stderr).toContain('SIGNALBOX_CONFIG_URL')
      expect(stderr).toMatch(/fix: .*SIGNALBOX_URL/)
    },
  )

  it('are told apart by doctor, whatever names the wrong one', async () => {
    const byVariable = await place.run(['doctor'], { env: atDelivery() })
    expect(byVariable.code).toBe(1)
    expect(byVariable.stdout).toContain(`${server.configUrl} is the address that applications read`)
    expect(byVariable.stdout).not.toContain('TypeError')
    const byFlag = await place.run(['doctor', '--server', server.configUrl])
    expect(byFlag.stdout).toMatch(/next: .*--server/)
  })
})

it('doctor warns an operator of a bootstrap token that is still set, and tells others nothing of it', async () => {
  const env = server.asOperator
  const ofOperator = await place.run(['doctor'], { env })
  expect(ofOperator.stdout).toMatch(/! bootstrap token +SIGNALBOX_BOOTSTRAP_TOKEN is set\./)
  const ofKey = await place.run(['doctor'])
  expect(ofKey.stdout).toMatch(/✓ bootstrap token +visible only to operators of the server/)
})
