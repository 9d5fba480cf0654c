import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeDefinition } from '../../testing/definition-files.ts'
import { runInTerminal } from '../../testing/run-in-terminal.ts'
import { hasTerminal } from '../../testing/type-in-terminal.ts'
import { withRealServer } from '../../testing/with-server.ts'

const { server, place } = withRealServer()
let schema: string
let environment: string
let count = 0

/** Each test has an environment and a schema of its own; the environment is no production, so only the server asks. */
beforeEach(async () => {
  schema = `web${(count += 1)}`
  environment = `live${count}`
  writeFileSync(join(place.directory, '.signalbox.json'), JSON.stringify({ schema }))
  declare('number({ default: 3 })')
  const keys = { retries: { type: 'number', tier: 'public', default: 3 } }
  const schemaId = await idOf('POST', '/config-schemas', { name: schema, schema: keys })
  const environmentId = await idOf('POST', '/environments', { name: environment })
  const staging = await idOf('GET', '/environments/staging')
  for (const [at, retries] of [
    [environmentId, 1],
    [environmentId, 2],
    [staging, 9],
  ]) {
    await server.call('PUT', '/config-values', { schemaId, environmentId: at, values: { retries } })
  }
  await server.call('PATCH', `/environments/${environment}`, {
    protection: { confirm: true, comment: true },
  })
})
afterEach(async () => {
  const found = await server.call<{ items: { name: string }[] }>('GET', '/environments')
  if (!found.items.some(({ name }) => name === environment)) return
  await server.call('PATCH', `/environments/${environment}`, {
    protection: { confirm: false, comment: false },
    confirm: environment,
    comment: 'The test is over',
  })
})

const idOf = async (method: string, path: string, body?: object) =>
  (await server.call<{ id: string }>(method, path, body)).id

function declare(retries: string): void {
  writeDefinition(place, `public: { retries: ${retries} },`)
}

const confirmation = () => ['--confirm', environment, '--comment', 'PAY-225']

/** Every command that changes what is read in the environment. */
const commands: Readonly<Record<string, () => readonly string[]>> = {
  set: () => ['set', 'retries', '5', '--env', environment],
  unset: () => ['unset', 'retries', '--env', environment],
  restore: () => ['restore', 'v2', '--env', environment],
  promote: () => ['promote', '--from', 'staging', '--to', environment],
  push: () => ['push', '--env', environment, '--allow-breaking'],
  'environments update': () => ['environments', 'update', environment, '--production'],
  'environments delete': () => ['environments', 'delete', environment, '--force'],
}

describe('a change of a protected environment', () => {
  it.each(Object.keys(commands))(
    'by %s needs its name and a reason, which --yes does not give',
    async (name) => {
      if (name === 'push') declare('number({ default: 3 }), other: number({ default: 1 })')
      const args = [...(commands[name]?.() ?? []), '--yes']
      const refused = await place.run(args)
      expect(refused.stderr).toContain(`Changes of ${environment} require a confirmation`)
      expect(refused.stderr).toContain('--confirm')
      expect(refused.code).toBe(6)
      expect(await place.run([...args, ...confirmation()])).toMatchObject({ code: 0 })
    },
  )

  it('is refused with the name alone, where a reason is asked for too', async () => {
    const args = ['set', 'retries', '5', '--env', environment, '--confirm', environment]
    const refused = await place.run(args)
    expect(refused.stderr).toContain('--comment')
    expect(refused.code).toBe(6)
  })

  it('keeps the reason in the history', async () => {
    await place.run(['set', 'retries', '5', '--env', environment, ...confirmation()])
    const history = await place.run(['history', '--env', environment])
    expect(history.stdout).toContain('PAY-225')
  })

  it.runIf(hasTerminal)('asks on a terminal for what is missing, and goes on', async () => {
    const result = await runInTerminal(
      place,
      ['set', 'retries', '6', '--env', environment],
      [
        [`Type "${environment}" to confirm`, `${environment}\r`],
        ['Reason for the change', 'Because\r'],
      ],
    )
    expect(result).toMatchObject({ code: 0 })
    expect((await place.run(['get', 'retries', '--env', environment])).stdout).toBe('6\n')
  })

  it.runIf(hasTerminal)('is not made when another name is typed', async () => {
    const result = await runInTerminal(
      place,
      ['set', 'retries', '6', '--env', environment],
      [[`Type "${environment}" to confirm`, 'staging\r']],
    )
    expect(result.screen).toContain('Nothing was changed')
    expect((await place.run(['get', 'retries', '--env', environment])).stdout).toBe('2\n')
  })
})

describe('a push that publishes a secret', () => {
  it('names the key, which --allow-breaking does not replace', async () => {
    writeDefinition(place, 'secret: { token: string() },')
    const push = (...more: string[]) =>
      place.run(['push', '--env', 'staging', '--yes', ...confirmation(), ...more])
    expect(await push()).toMatchObject({ code: 0 })
    await place.run(['set', 'token', '--env', 'staging', '--yes'], { stdin: 'was-secret' })
    writeDefinition(place, 'public: { token: string() },')
    const refused = await push('--allow-breaking')
    expect(refused.code).toBe(5)
    expect(refused.stderr).toContain('--expose token')
    expect(await push('--allow-breaking', '--expose', 'token')).toMatchObject({ code: 0 })
  })
})
