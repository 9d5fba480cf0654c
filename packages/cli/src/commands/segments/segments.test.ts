import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withRealServer } from '../../testing/with-server.ts'

const { server, place } = withRealServer()

const segments = (...args: string[]) => place.run(['segments', ...args])
const write = (name: string, content: unknown) =>
  writeFileSync(join(place.directory, name), JSON.stringify(content))
const groupsOf = (...plans: string[]) =>
  plans.map((value) => ({ when: [{ attribute: 'plan', operator: 'equals', value }] }))

describe('segments', () => {
  it('are created, listed, shown, changed after a review, and deleted once no flag uses them', async () => {
    expect((await segments()).stdout).toContain('There are no segments.')
    write('pro.json', groupsOf('pro'))
    expect(await segments('create', 'paying', '--file', 'pro.json')).toMatchObject({ code: 0 })
    expect((await segments()).stdout).toMatch(/paying +plan is pro +0 flags/)

    const { id } = await server.call<{ id: string }>('POST', '/config-schemas', {
      name: 'of-segments',
      schema: { beta: { type: 'boolean' } },
    })
    const environment = await server.call<{ id: string }>('GET', '/environments/production')
    const setRules = (rules: object[]) =>
      server.call('PUT', '/config-values', {
        schemaId: id,
        environmentId: environment.id,
        values: { beta: false },
        rules: { beta: rules },
        confirm: ['production'],
      })
    await setRules([{ when: [{ operator: 'segment', segment: 'paying' }], serve: true }])
    const shown = await segments('show', 'paying')
    expect(shown.stdout).toMatch(/beta +production +of-segments/)

    write('more.json', { segment: { anyOf: groupsOf('pro', 'team') } })
    const preview = await segments('update', 'paying', '--file', 'more.json', '--dry-run')
    expect(preview.stdout).toContain('+ plan is team')
    expect(preview.stdout).toMatch(/production +of-segments +beta/)
    expect((await segments('show', 'paying')).stdout).toContain('version 1')
    // In production nothing changes without its name, or --yes.
    expect(await segments('update', 'paying', '--file', 'more.json')).toMatchObject({ code: 2 })
    const confirmed = ['--confirm', 'production', '--comment', 'Teams too']
    const updated = await segments('update', 'paying', '--file', 'more.json', ...confirmed)
    expect(updated.stdout).toContain('Changed the segment paying to version 2')

    const refused = await segments('delete', 'paying', '--yes')
    expect(refused.code).toBe(6)
    expect(refused.stderr).toContain('beta in production (of-segments)')
    await setRules([])
    expect(await segments('delete', 'paying', '--yes')).toMatchObject({ code: 0 })
    expect((await segments()).stdout).toContain('There are no segments.')
  })

  it('say what is wrong with a file, a name, and a change of nothing', async () => {
    write('wrong.json', 'pro')
    const wrong = await segments('create', 'other', '--file', 'wrong.json')
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain('is no JSON list of groups.')
    expect((await segments('create', 'other')).stderr).toContain('--file groups.json')
    write('other.json', groupsOf('pro'))
    await segments('create', 'other', '--file', 'other.json')
    const misspelt = await segments('show', 'othr')
    expect(misspelt.stderr).toContain('There is no segment "othr".')
    expect(misspelt.stderr).toContain('other')
    expect((await segments('update', 'other')).stderr).toContain('Nothing to change in other')
  })
})
