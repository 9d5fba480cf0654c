import { describe, expect, it } from 'vitest'
import { oneOfEach, writeDefinition } from '../../testing/definition-files.ts'
import { withRealServer } from '../../testing/with-server.ts'

interface ShownEnvironment {
  readonly name: string
  readonly description: string
  readonly production: boolean
  readonly parentId: string | null
}

const { server, place } = withRealServer()

const environments = (...args: string[]) => place.run(['environments', ...args])
const read = (name: string) => server.call<ShownEnvironment>('GET', `/environments/${name}`)

describe('environments update', () => {
  it('changes what is given and leaves the rest', async () => {
    await environments('create', 'preview', '--parent', 'staging')
    expect(await environments('update', 'preview', '--description', 'of a branch')).toMatchObject({
      code: 0,
    })
    expect(await read('preview')).toMatchObject({ description: 'of a branch', production: false })
    expect((await read('preview')).parentId).not.toBeNull()
    const args = ['--name', 'live', '--production', '--no-parent']
    const renamed = await environments('update', 'preview', ...args)
    expect(renamed).toMatchObject({ code: 0 })
    expect(renamed.stderr).toContain('What reads preview by this name no longer finds it')
    expect(await read('live')).toMatchObject({
      description: 'of a branch',
      production: true,
      parentId: null,
    })
  })

  it('asks before production loses its protection, and says when nothing is to change', async () => {
    expect(await environments('update', 'production', '--no-production')).toMatchObject({ code: 2 })
    expect(await read('production')).toMatchObject({ production: true })
    const idle = await environments('update', 'staging')
    expect(idle.code).toBe(2)
    expect(idle.stderr).toContain('Nothing to change in staging: give a flag.')
  })

  it('sets who approves, member by member, and names the flag that asks for too many', async () => {
    await environments('create', 'guarded')
    const update = (...flags: string[]) =>
      place.run(['environments', 'update', 'guarded', ...flags], { env: server.asOperator })
    const refused = await update('--approvals', '3')
    expect(refused.code).toBe(5)
    expect(refused.stderr).toContain('--approvals: ')
    const mixed = await update('--approvers', 'admin,ada@example.com')
    expect(mixed.stderr).toContain('Name roles or members, not both.')
    const flags = ['--approvers', 'admin,owner', '--no-decline-blocks', '--override', 'nobody']
    expect(await update(...flags, '--kill-switches', 'approved')).toMatchObject({ code: 0 })
    expect(await read('guarded')).toMatchObject({
      protection: {
        approvals: 0,
        approvers: { roles: ['admin', 'owner'] },
        declineBlocks: false,
        override: 'nobody',
        killSwitches: 'approved',
      },
    })
    // A server key changes no protection.
    const byKey = await environments('update', 'guarded', '--approvers', 'owner')
    expect(byKey).toMatchObject({ code: 4 })
    await environments('delete', 'guarded', '--yes')
  })

  it('names the flag when the server refuses a parent', async () => {
    await environments('create', 'child', '--parent', 'staging')
    const refused = await environments('update', 'staging', '--parent', 'child')
    expect(refused.code).toBe(6)
    expect(refused.stderr).toContain('--parent: ')
    await environments('delete', 'child', '--yes')
  })
})

describe('environments delete', () => {
  it('says how to free an environment that others inherit from, and --force does not help', async () => {
    await environments('create', 'parent')
    await environments('create', 'heir', '--parent', 'parent')
    for (const flags of [['--yes'], ['--yes', '--force'], ['--dry-run']]) {
      const refused = await environments('delete', 'parent', ...flags)
      expect(refused.code).toBe(6)
      expect(refused.stderr).toContain('heir inherits from the environment parent')
      expect(refused.stderr).not.toContain('--force')
      expect(refused.stderr).toContain('signalbox environments update heir --no-parent')
    }
    expect(await environments('update', 'heir', '--no-parent')).toMatchObject({ code: 0 })
    expect(await environments('delete', 'parent', '--yes')).toMatchObject({ code: 0 })
  })

  it('wants --force for one that holds values', async () => {
    await environments('create', 'full')
    writeDefinition(place, oneOfEach)
    await place.run(['push', '--env', 'full'])
    await place.run(['set', 'timeoutMs', '5', '--env', 'full'])
    const refused = await environments('delete', 'full', '--yes')
    expect(refused.code).toBe(6)
    expect(refused.stderr).toContain('The environment full has values.')
    expect(refused.stderr).toContain('Repeat with --force')
    expect(await environments('delete', 'full', '--yes', '--force')).toMatchObject({ code: 0 })
  })
})

describe('promote', () => {
  it('says which of its flags is wrong, and nothing of the fields of the request', async () => {
    writeDefinition(place, oneOfEach)
    await place.run(['push', '--env', 'development', '--yes'])
    const same = await place.run(['promote', '--from', 'staging', '--to', 'staging'])
    expect(same.code).toBe(5)
    expect(same.stderr).toContain('--to: Name two different environments.')
    expect(same.stderr).not.toContain('EnvironmentId')
    const empty = await place.run([
      'promote',
      '--from',
      'staging',
      '--to',
      'development',
      'timeoutMs',
    ])
    expect(empty.code).toBe(5)
    expect(empty.stderr).toContain('timeoutMs is not set in staging, so there is nothing to copy')
    expect(empty.stderr).not.toContain('/keys')
  })
})
