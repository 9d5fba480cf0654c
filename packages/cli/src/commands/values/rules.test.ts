import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { withRealServer } from '../../testing/with-server.ts'

const { server, place } = withRealServer()

const rules = (...args: string[]) =>
  place.run(['rules', 'seats', '--schema', 'of-rules', '--env', 'development', ...args])
const write = (name: string, content: unknown) =>
  writeFileSync(join(place.directory, name), JSON.stringify(content))
const forPro = [
  { when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }], serve: { value: 50 } },
]

beforeAll(async () => {
  const { id } = await server.call<{ id: string }>('POST', '/config-schemas', {
    name: 'of-rules',
    schema: { seats: { type: 'number', tier: 'public', targeted: true } },
  })
  const environment = await server.call<{ id: string }>('GET', '/environments/development')
  await server.call('PUT', '/config-values', {
    schemaId: id,
    environmentId: environment.id,
    values: { seats: 5 },
  })
})

describe('rules', () => {
  it('are shown in their order, replaced after a look at who gets what, and removed', async () => {
    expect((await rules()).stdout).toContain('Everyone: 5')
    write('pro.json', forPro)
    const preview = await rules('--file', 'pro.json', '--dry-run')
    expect(preview.stdout).toContain('5 → 5 · 50 where plan is pro')
    expect((await rules()).stdout).toContain('Everyone: 5')

    expect(await rules('--file', 'pro.json', '--yes')).toMatchObject({ code: 0 })
    const shown = await rules()
    expect(shown.stdout).toMatch(/1\. +Serves 50 where plan is pro +rul_/)
    expect(shown.stdout).toContain('Everyone else: 5')

    // The output of --json is taken back as it is.
    write('same.json', JSON.parse((await rules('--json')).stdout))
    expect((await rules('--file', 'same.json', '--yes')).stdout).toContain('the same already')

    write('none.json', [])
    expect(await rules('--file', 'none.json', '--yes')).toMatchObject({ code: 0 })
    expect((await rules()).stdout).toContain('Everyone: 5')
  })

  it('are refused with the place, and nothing is stored', async () => {
    write('wrong.json', [{ when: [], serve: { value: 'many' } }])
    const refused = await rules('--file', 'wrong.json', '--yes')
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('/changes/0/rules/seats/0/serve/value')
    write('text.json', 'pro')
    expect((await rules('--file', 'text.json')).stderr).toContain('is no JSON list of rules')
    expect((await rules()).stdout).toContain('Everyone: 5')
  })
})
