import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { checkValue } from '../../apply/check-value.ts'
import { fileSchema } from '../../apply/file-schema.ts'
import { withRealServer } from '../../testing/with-server.ts'

const { server, place } = withRealServer()

const apply = (...args: string[]) => place.run(['apply', ...args], { env: server.asOperator })
const write = (...lines: string[]) =>
  writeFileSync(join(place.directory, 'signalbox.yaml'), `${lines.join('\n')}\n`)
const read = (name: string) =>
  server.call<{ description: string; production: boolean; parentId: string | null; id: string }>(
    'GET',
    `/environments/${name}`,
  )

describe('apply', () => {
  it('shows a plan with 8, creates and changes after it, and has nothing to do the second time', async () => {
    write(
      'version: 1',
      'environments:',
      '  # The child stands before its parent.',
      '  eu-preview: { parent: eu, description: One for each branch }',
      '  eu: { description: Customers in Europe, protection: { comment: true } }',
      '  staging: { description: "Before release" }',
      'outgoingWebhooks:',
      '  Grafana:',
      '    url: https://grafana.example.com/api/annotations',
      '    events: [config.changed, deployment.finished]',
      '    format: grafana',
    )
    for (const flag of ['--plan', '--dry-run']) {
      const plan = await apply(flag)
      expect(plan.code).toBe(8)
      expect(plan.stdout).toMatch(
        /\+ {2}eu-preview {3}parent eu, description One for each branch\n/,
      )
      expect(plan.stdout).toMatch(/~ {2}staging {6}description "" → Before release\n/)
      expect(plan.stdout).toMatch(/· {2}production {3}not in the file, stays\n/)
      expect(plan.stdout).toContain('3 to create, 1 to change, 0 to delete, 0 unchanged')
      expect(plan.stdout).not.toContain('\u001B')
    }
    expect(await apply()).toMatchObject({ code: 2 })
    const applied = await apply('-f', 'signalbox.yaml', '--yes')
    expect(applied).toMatchObject({ code: 0 })
    expect(applied.stdout).toContain('3 created, 1 changed, 0 deleted.')
    expect(applied.stdout + applied.stderr).not.toContain('whsec_')
    expect(applied.stderr).toContain('signalbox webhooks rotate "Grafana"')
    expect((await read('eu-preview')).parentId).toBe((await read('eu')).id)
    expect(await read('staging')).toMatchObject({ description: 'Before release' })

    const again = await apply('--plan')
    expect(again).toMatchObject({ code: 0 })
    expect(again.stdout).toContain('Nothing to do.')
    expect((await apply('--yes')).stdout).toContain('Nothing to do.')

    // Drift: somebody changed it by hand.
    await server.call('PATCH', '/environments/eu', { description: 'By hand', comment: 'A test' })
    const drift = await apply('--plan', '--json')
    expect(drift.code).toBe(8)
    expect(JSON.parse(drift.stdout)).toMatchObject({
      changes: [{ kind: 'environments', change: 'change', key: 'eu' }],
      applied: false,
    })
    expect(await apply('--yes')).toMatchObject({ code: 0 })
    expect(await read('eu')).toMatchObject({ description: 'Customers in Europe' })
  })

  it('prints what exists as a file that has nothing to do, and reads it from standard input', async () => {
    const exported = await apply('--export')
    expect(exported).toMatchObject({ code: 0, stderr: '' })
    expect(exported.stdout).toContain(
      `# yaml-language-server: $schema=${server.url}/signalbox.schema.json\n`,
    )
    expect(exported.stdout).not.toMatch(/whsec_|env_|whk_/)
    const env = server.asOperator
    const stdin = exported.stdout
    for (const flags of [['--plan'], ['--plan', '--prune'], ['--yes']]) {
      const again = await place.run(['apply', '-f', '-', ...flags], { stdin, env })
      expect(again.stdout).toContain('Nothing to do.')
      expect(again.code).toBe(0)
    }
  })

  it('deletes with --prune alone, and only of the kinds that the file has', async () => {
    await server.call('POST', '/environments', { name: 'old-parent' })
    const { id } = await read('old-parent')
    await server.call('POST', '/environments', { name: 'old-child', parentId: id })
    const exported = (await apply('--export')).stdout
    const kept = exported.replace(/ {2}old-(?:parent|child):\n(?: {4}.*\n)+/g, '')
    write(kept.replace(/^outgoingWebhooks:\n(?: .*\n)+/m, ''))
    expect((await apply('--yes')).stdout).toContain('2 resources not in the file')
    expect(await read('old-child')).toMatchObject({ description: '' })
    const plan = await apply('--plan', '--prune')
    expect(plan.stdout).toContain('0 to create, 0 to change, 2 to delete')
    expect(await apply('--prune')).toMatchObject({ code: 2 })
    expect(await apply('--prune', '--yes')).toMatchObject({ code: 0 })
    await expect(read('old-parent')).rejects.toThrow('404')
    const { items } = await server.call<{ items: object[] }>('GET', '/outgoing-webhooks')
    expect(items).toHaveLength(1)
  })

  it('says what it had done before something was refused', async () => {
    write('version: 1', 'environments:', '  first:', '  second: { parent: second }')
    const refused = await apply('--yes')
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('1 change made before: + environments.first')
    expect(refused.stderr).toContain('it continues')
  })
})

describe('a file', () => {
  it('is refused with file, line and column of each fault, and nothing is changed', async () => {
    write(
      'version: 1',
      'environment:',
      '  live:',
      'environments:',
      '  live: { productoin: true }',
      '  staging: { production: "yes" }',
      'notificationRoutes:',
      '  Deploys: { channel: C1, events: [deploymnt] }',
      'outgoingWebhooks:',
      '  Grafana: { url: https://grafana.example.com }',
    )
    const refused = await apply('--yes')
    expect(refused.code).toBe(5)
    const lines = refused.stderr.split('\n').map((line) => line.trim())
    expect(lines.slice(0, 6)).toEqual([
      '✗ signalbox.yaml is not valid. Nothing was changed.',
      'signalbox.yaml:2:1  environment  There is no member "environment". Did you mean "environments" or "environmentMap"?',
      'signalbox.yaml:5:11  environments.live.productoin  There is no member "productoin". Did you mean "production" or "protection"?',
      'signalbox.yaml:6:26  environments.staging.production  Expected true or false, found the text "yes".',
      expect.stringMatching(
        /^signalbox.yaml:8:36 .*"deploymnt" is none of .* Did you mean "deployment"\?$/,
      ),
      'signalbox.yaml:10:3  outgoingWebhooks.Grafana  The member "events" is missing.',
    ])
    await expect(read('live')).rejects.toThrow('404')
  })

  it.each([
    [['version: 1', 'environments:', '\t- x'], /signalbox.yaml:3:1 /],
    [['version: 1', 'environments: {}', 'environments: {}'], /signalbox.yaml:3:1 .*unique/],
    [['environments: {}'], /signalbox.yaml:1:1 .*"version" is missing/],
    [['version: 2'], /signalbox.yaml:1:10 {2}version {2}Expected 1, found 2/],
    [
      ['version: 1', 'environments:', '  a: { parent: stagin }'],
      /:3:16 .*There is no environment "stagin"\. Did you mean "staging"\?/,
    ],
    [
      ['version: 1', 'repositories: [acme/shop]'],
      /:2:16 .*There is no repository "acme\/shop"\. No repository is known yet/,
    ],
    [
      [
        'version: 1',
        'environmentMap:',
        '  - { pattern: prod, environment: production }',
        '  - { pattern: prod, environment: staging }',
      ],
      /:4:5 .*"prod" is in the list already/,
    ],
  ])('with the content %j is refused at its place', async (lines, expected) => {
    write(...lines)
    const refused = await apply('--yes')
    expect(refused.stderr).toMatch(expected)
    expect(refused.code).toBe(5)
  })

  it('that is not there is asked for, and how to begin is said', async () => {
    const missing = await apply('-f', 'other.yaml')
    expect(missing.code).toBe(2)
    expect(missing.stderr).toContain('signalbox apply --export > signalbox.yaml')
  })
})

describe('a server key', () => {
  it('exports what it may read, and says what it left out', async () => {
    const exported = await place.run(['apply', '--export'])
    expect(exported.code).toBe(0)
    expect(exported.stderr).toContain(
      'Left out, because this token may not read it: outgoingWebhooks.',
    )
    writeFileSync(join(place.directory, 'signalbox.yaml'), exported.stdout)
    expect(readFileSync(join(place.directory, 'signalbox.yaml'), 'utf8')).toContain('environments:')
    expect((await place.run(['apply', '--plan'])).stdout).toContain('Nothing to do.')
  })
})

describe('the guide', () => {
  const page = readFileSync(
    join(import.meta.dirname, '../../../../../docs/guide/configuration-file.md'),
    'utf8',
  )
  const blocksOf = (language: string) =>
    [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(
      ([, text = '']) => text,
    )

  it('has files that the command takes', () => {
    const files = blocksOf('yaml').map((text) => parse(text) as object)
    expect(files).toHaveLength(2)
    for (const file of files) {
      expect(checkValue(fileSchema, file)).toEqual([])
      for (const wrong of [{ version: 2 }, { environmnts: {} }]) {
        expect(checkValue(fileSchema, { ...file, ...wrong })).toHaveLength(1)
      }
    }
  })

  it('has steps that do what it says', async () => {
    const [begin = '', steps = ''] = blocksOf('sh')
    const run = (line: string) =>
      apply(
        ...line
          .replace(/ +(?:#|>).*/, '')
          .split(' ')
          .slice(2),
      )
    const [exporting = '', planning = ''] = begin.trim().split('\n')
    write((await run(exporting)).stdout)
    expect(await run(planning)).toMatchObject({ code: 0 })
    const [file = ''] = blocksOf('yaml')
    // Other tests of this file have made an environment and a webhook with these names.
    write(file.replaceAll('Grafana', 'Annotations').replaceAll(/\beu\b/g, 'us'))
    const codes: (number | null)[] = []
    for (const line of steps.trim().split('\n')) codes.push((await run(line)).code)
    expect(codes).toEqual([8, 0, 0])
  })
})
