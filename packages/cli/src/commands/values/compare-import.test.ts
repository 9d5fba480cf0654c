import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, it } from 'vitest'
import { withStandIn } from '../../testing/with-server.ts'

const { server, place } = withStandIn()

const repository = join(process.cwd(), 'node_modules')

it('compares an import with the SDK of the project, asks no server, and ends with 8 at a difference', async () => {
  const write = (name: string, content: string) => {
    writeFileSync(join(place.directory, name), content)
  }
  const rules = [{ force: true, condition: { age: { $gte: 18 } } }]
  write('features.json', JSON.stringify({ features: { checkout: { defaultValue: false, rules } } }))
  const compare = (contexts: string, ...more: string[]) =>
    place.run([
      'import',
      'growthbook',
      'features.json',
      '--env',
      'production',
      '--compare',
      contexts,
      ...more,
    ])
  write('contexts.jsonl', '{"targetingKey":"a","age":20}\n\n{"targetingKey":"b"}\n')
  const missing = await compare('contexts.jsonl')
  expect(missing).toMatchObject({ code: 5 })
  expect(missing.stderr).toContain('npm install --no-save @growthbook/growthbook')

  mkdirSync(join(place.directory, 'node_modules/@growthbook'), { recursive: true })
  symlinkSync(
    join(repository, '@growthbook/growthbook'),
    join(place.directory, 'node_modules/@growthbook/growthbook'),
  )
  const same = await compare('contexts.jsonl')
  expect(same).toMatchObject({ code: 0 })
  expect(same.stdout).toContain('No difference in 2 decisions')

  // There, a text is compared with a number as one.
  write('odd.jsonl', '{"targetingKey":"a"}\n{"targetingKey":"canary","age":"20"}\n')
  const odd = await compare('odd.jsonl')
  expect(odd).toMatchObject({ code: 8, stderr: '' })
  expect(odd.stdout).toContain('checkout  production  1 of 2 differ (differs)')
  expect(odd.stdout).toContain('  line 2: true there, false here')
  expect(odd.stdout).toContain('1 of 2 decisions differ, in 1 of 1 flags.')
  const json = await compare('odd.jsonl', '--json')
  const difference = {
    key: 'checkout',
    environment: 'production',
    line: 2,
    theirs: true,
    ours: false,
  }
  expect(JSON.parse(json.stdout)).toMatchObject({ different: 1, differences: [difference] })
  expect(odd.stdout + json.stdout).not.toContain('canary')

  write('broken.jsonl', '{"targetingKey":"a"}\n{"targetingKey":\n')
  const broken = await compare('broken.jsonl')
  expect(broken).toMatchObject({ code: 5 })
  expect(broken.stderr).toContain('broken.jsonl: Line 2 is no JSON object')

  const nowhere = await compare('nowhere.jsonl')
  expect(nowhere).toMatchObject({ code: 1 })
  expect(nowhere.stderr).toContain('nowhere.jsonl')
  const dotenv = await place.run(['import', 'dotenv', '.env', '--compare', 'contexts.jsonl'])
  expect(dotenv).toMatchObject({ code: 2 })
  expect(server.seen).toEqual([])
})
