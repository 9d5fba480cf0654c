import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { ImportSource } from '@signalbox/contract'
import { expect, it } from 'vitest'
import { importers } from '../../importers/registry.ts'
import { sourceExports } from '../../importers/testing/source-exports.ts'
import type { CliResult } from '../../testing/run-cli.ts'
import { withRealServer } from '../../testing/with-server.ts'

const { server, place } = withRealServer()

const sources = [...importers.values()].map(({ source }) => source)
const flagSources = sources.filter((source) => sourceExports[source].key === 'checkout')

/** Imports the export of a source into a schema of that name, from standard input. */
function importOf(source: ImportSource) {
  const { text, accept, namesEnvironments } = sourceExports[source]
  const environment = namesEnvironments === true ? [] : ['--env', 'production']
  const accepted = accept === undefined ? [] : ['--accept', accept]
  const args = ['import', source, '-', '--schema', source, ...environment, ...accepted, '--yes']
  return place.run(args, { stdin: text })
}

const guide = readFileSync(join(import.meta.dirname, '../../../../../docs/guide/import.md'), 'utf8')

/** The commands of the guide that read an export: `<another program> | signalbox import <source> <file> <options>`. */
const guideCommands = [
  ...guide.matchAll(/^(?:.* \| )?signalbox import (\S+) (?!--)(\S+) (--schema .*)$/gm),
].map(([line, source = '', file = '', options = '']) => {
  const known = sources.find((name) => name === source)
  if (known === undefined) throw new Error(`The guide imports from ${source}`)
  return { line, source: known, file, options: options.split(' ') }
})

/** Returns the export of a source whose environments have the names that the command maps. */
function exportFor(source: ImportSource, options: readonly string[]): string {
  const maps = options[options.indexOf('--map') + 1] ?? ''
  const pairs = options.includes('--map') ? maps.split(',').map((pair) => pair.split('=')) : []
  return pairs.reduce(
    (text, [theirs = '', ours = '']) => text.replaceAll(`"${ours}":`, `"${theirs}":`),
    sourceExports[source].text,
  )
}

it('the guide reads an export of every product of flags, and of three of variables', () => {
  const read = new Set(guideCommands.map(({ source }) => source))
  expect([...read].toSorted()).toEqual(
    [...flagSources, 'doppler', 'dotenv', 'kubernetes'].toSorted(),
  )
})

it('every command of the guide that reads an export shows its plan and imports it', async () => {
  for (const { line, source, file, options } of guideCommands) {
    const { accept, key } = sourceExports[source]
    const text = exportFor(source, options)
    if (file !== '-') writeFileSync(join(place.directory, file), text, { mode: 0o600 })
    const schema = options.map((option) => (option === 'shop' ? `guide-${source}` : option))
    // The guide tells the reader to accept the code that the plan names.
    const accepted = accept === undefined ? [] : ['--accept', accept]
    const run = ['import', source, file, ...schema.filter((_, at) => !isAccept(schema, at))]
    const shown = await place.run([...run, ...accepted, '--yes'], {
      stdin: file === '-' ? text : '',
    })
    expect([line, shown.code, shown.stdout.includes(key)]).toEqual([line, 0, true])
  }
})

/** True for the codes that the guide accepts of its own example, and for their option. */
function isAccept(options: readonly string[], at: number): boolean {
  return options[at] === '--accept' || options[at - 1] === '--accept' || options[at] === '--yes'
}

const importOnceAndAgain =
  'come in once, are unchanged the second time, and faults stop nothing else'

it.each([
  { of: 'of flags', some: flagSources },
  { of: 'of variables', some: sources.filter((source) => !flagSources.includes(source)) },
])(
  `exports $of ${importOnceAndAgain}`,
  async ({ some }) => {
    const results: { source: ImportSource; first: CliResult; second: CliResult }[] = []
    const next = some.values()
    // Two at a time: more wait for each other's changes for longer than the server gives its database.
    const work = async () => {
      for (const source of next) {
        const first = await importOf(source)
        results.push({ source, first, second: await importOf(source) })
      }
    }
    await Promise.all([work(), work()])
    for (const { source, first, second } of results) {
      const { key, value, fails } = sourceExports[source]
      const failed = [first, second].find(({ code }) => code !== 0)
      expect([source, failed?.code, failed?.stderr]).toEqual([source, undefined, undefined])
      expect(first.stdout).toContain(`\n${fails}`)
      expect(first.stdout).toContain('1 new, 0 to change, 0 unchanged')
      expect(second.stdout).toContain('0 new, 0 to change, 1 unchanged')
      expect(await valueOf(source, key)).toEqual(value)
      // Of a flag the value is no secret.
      const shown = typeof value === 'string' && JSON.stringify([first, second]).includes(value)
      expect([source, shown]).toEqual([source, false])
    }
  },
  120_000,
)

it('names the environment in which a flag stays turned off, and how to turn it on', async () => {
  const stdin = JSON.stringify({ features: { checkout: { defaultValue: true } } })
  const target = ['--schema', 'turned', '--env', 'staging', '--yes']
  const importAgain = (...more: string[]) =>
    place.run(['import', 'growthbook', '-', ...target, ...more], { stdin })
  await importAgain()
  writeFileSync(join(place.directory, '.signalbox.json'), JSON.stringify({ schema: 'turned' }))
  await place.run(['turn', 'off', 'checkout', '--env', 'staging'])
  expect((await importAgain('--update', 'checkout')).stdout).toContain(
    '  It stays turned off in staging. To import it there, turn it on first: signalbox turn on checkout --env staging\n',
  )
})

it('prints the keys as a definition, whose push says only that code declares them', async () => {
  const flag = { rules: [{ force: true, coverage: 0.1 }] }
  const features = {
    checkout: { ...flag, defaultValue: false },
    'new-banner.v2': { defaultValue: true },
    banner: { defaultValue: "it's \\ blue\n" },
    pageSize: { defaultValue: 20 },
    layout: { defaultValue: 'wide', rules: [{ force: 'narrow', coverage: 0.5 }] },
  }
  const target = ['--schema', 'in-code', '--env', 'staging', '--yes']
  const importAs = (source: string, text: string, ...more: string[]) =>
    place.run(['import', source, '-', ...target, ...more], { stdin: text })
  const text = JSON.stringify({ features })
  const first = await importAs('growthbook', text)
  expect(first.stderr).toContain('5 keys are new on the server.')
  expect(first.stderr).toContain('--print-definition')
  const printed = await importAs('growthbook', text, '--print-definition')
  expect(printed).toMatchObject({ code: 0 })
  expect(printed.stderr).toContain('0 new, 0 to change, 5 unchanged')
  writeFileSync(join(place.directory, 'signalbox.config.ts'), printed.stdout)
  expect(printed.stdout).toContain("'new-banner.v2': ")
  expect(printed.stdout).toContain('layout: targeted(')
  const project = { schema: 'in-code', environment: 'staging' }
  writeFileSync(join(place.directory, '.signalbox.json'), JSON.stringify(project))
  const pushed = await place.run(['push'])
  expect(pushed).toMatchObject({ code: 0 })
  expect(pushed.stdout.match(/^ +[~+-] .*$/gm)).toEqual(
    Array.from({ length: 5 }, () => expect.stringContaining('declared in code from now on')),
  )
  expect((await place.run(['push'])).stdout).toContain('Nothing to push.')
  // The secrets of another import are not in the way, and are not shown.
  const more = await importAs('dotenv', 'STRIPE_KEY=sk_test_51abc', '--print-definition')
  expect(more.stdout).toMatch(/secret: \{\n +stripeKey: /)
  expect(more.stderr).toContain('The schema also has 5 keys from elsewhere.')
  expect(more.stdout + more.stderr).not.toContain('sk_test_51abc')
  const variants = [{ name: 'blue', weight: 1000 }]
  const gift = { features: [{ name: 'gift', enabled: true, strategies: [], variants }] }
  const named = await importAs('unleash', JSON.stringify(gift), '--print-definition')
  expect(named.stdout).toContain(
    'gift: optional(flag.variants({ blue: { on: true }, disabled: { on: false } })),',
  )
})

it('variables go out under the names that they came in with, in programs, files and answers', async () => {
  const names = [
    'ConnectionStrings__DefaultConnection',
    'AIRFLOW__CORE__SQL_ALCHEMY_CONN',
    'spring.datasource.url',
    'VAR-WITH-DASHES',
    'lower_case',
    'NEXT_PUBLIC_API_URL',
    '2FA_SEED',
    'STRIPE_KEY',
  ].toSorted()
  const text = names.map((name, at) => `${name}=v${at}`).join('\n')
  const target = ['--schema', 'own-names', '--env', 'production']
  const planned = await place.run(['import', 'dotenv', '-', ...target, '--yes'], { stdin: text })
  expect(planned).toMatchObject({ code: 0 })
  expect(planned.stdout).toContain('exact, new, variable spring.datasource.url\n')
  const project = { schema: 'own-names', environment: 'production' }
  writeFileSync(join(place.directory, '.signalbox.json'), JSON.stringify(project))
  const pull = (...args: string[]) => place.run(['pull', '--output', '-', ...args])
  const wanted = Object.fromEntries(names.map((name, at) => [name, `v${at}`]))
  const listed = { variables: expect.arrayContaining(names) }
  const run = (...args: string[]) =>
    place.run(['run', '--json', '--dry-run', ...args, '--', 'true'])
  expect(JSON.parse((await run('--prefix', 'VITE_')).stdout)).toMatchObject(listed)
  expect(JSON.parse((await run('--offline')).stdout)).toMatchObject(listed)
  expect(JSON.parse((await pull('--format', 'json')).stdout)).toEqual(wanted)
  expect(parseEnv((await pull('--format', 'dotenv')).stdout)).toEqual(wanted)
  const shell = await pull('--format', 'sh')
  expect(shell.stderr).toContain("(2FA_SEED): A file for sh can't hold this name.")
  expect(shell.stdout).toContain('lower_case=')
  expect((await pull('--format', 'k8s-configmap')).stdout).toContain('  NEXT_PUBLIC_API_URL: ')
  const answer = await fetch(
    `${server.url}/organizations/${server.orgId}/config/values?environment=production&schema=own-names&names=variables`,
    { headers: { authorization: `Bearer ${server.token}` } },
  )
  expect(await answer.json()).toEqual(wanted)
  const again = await place.run(['import', 'dotenv', '-', ...target, '--yes'], { stdin: text })
  expect(again.stdout).toContain(`0 new, 0 to change, ${names.length} unchanged`)
})

/** Returns the value in production, by the server key, which may read secrets. */
async function valueOf(schema: string, key: string): Promise<unknown> {
  const { id: schemaId } = await server.call<{ id: string }>('GET', `/config-schemas/${schema}`)
  const { id } = await server.call<{ id: string }>('GET', '/environments/production')
  const answer = await fetch(
    `${server.url}/organizations/${server.orgId}/config-values?schemaId=${schemaId}&environmentId=${id}`,
    { headers: { authorization: `Bearer ${server.token}` } },
  )
  const { values } = (await answer.json()) as { values: Record<string, { value: unknown }> }
  return values[key]?.value
}

it('a namespace of several is chosen, and the error names those that there are', async () => {
  const flag = (key: string) => ({ key, type: 'BOOLEAN_FLAG_TYPE', enabled: true })
  const [web, api] = ['web', 'api'].map((namespace) => ({ namespace, flags: [flag(namespace)] }))
  const stdin = `${JSON.stringify(web)}\n${JSON.stringify(api)}\n`
  const read = (...more: string[]) =>
    place.run(
      ['import', 'flipt', '-', '--schema', 'several', '--env', 'production', '--dry-run', ...more],
      { stdin },
    )
  const chosen = await read('--namespace', 'api')
  expect([chosen.code, chosen.stdout]).toEqual([0, expect.stringContaining('api  exact')])
  for (const refused of [await read(), await read('--namespace', 'other')]) {
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('web, api')])
  }
})
