import { describe, expect, it } from 'vitest'
import { withRealServer } from '../../testing/with-server.ts'

const { server, place } = withRealServer()

const run = (...args: string[]) => place.run(args, { env: server.asOperator })
const idOf = (text: string) => /gra_\w+/.exec(text)?.[0] ?? ''

/** Makes a member, and a server key that reads. */
async function makeSubjects() {
  const { email } = await server.openBrowser('viewer')
  const key = { name: `Deploy key ${email}`, kind: 'm2m', access: 'read' }
  await server.call('POST', '/api-keys', key)
  return { email, key: key.name }
}

describe('groups', () => {
  it('are created, renamed and deleted, and take members by their email addresses', async () => {
    const { email } = await makeSubjects()
    expect((await run('groups')).stdout).toContain('There are no groups.')
    const planned = await run('groups', 'create', 'Developers', '--dry-run')
    expect(planned.stdout).toContain('Would create the group Developers')
    expect((await run('groups')).stdout).toContain('There are no groups.')
    const created = await run('groups', 'create', 'Developers')
    expect(created.stdout).toContain('It allows nothing until it has a grant.')
    expect((await run('groups', 'create', 'developers')).code).toBe(6)
    expect((await run('groups', 'members', 'Developers')).stdout).toContain('has no members')
    expect(await run('groups', 'add', 'Developers', email.toUpperCase())).toMatchObject({ code: 0 })
    expect((await run('groups', 'members', 'Developers')).stdout).toContain(email)
    expect((await run('groups')).stdout).toMatch(/^Developers {2}1 member/)
    await run('groups', 'rename', 'Developers', 'Engineers')
    expect((await run('groups', 'remove', 'Enginers', email)).stderr).toContain(
      'Did you mean "Engineers"?',
    )
    await run('groups', 'remove', 'Engineers', email)
    expect((await run('groups', 'members', 'Engineers')).stdout).toContain('has no members')
    expect(await run('groups', 'delete', 'Engineers')).toMatchObject({ code: 2 })
    expect(await run('groups', 'delete', 'Engineers', '--yes')).toMatchObject({ code: 0 })
    expect((await run('groups')).stdout).toContain('There are no groups.')
  })

  it('say who is no member, and how one is named', async () => {
    await run('groups', 'create', 'Support')
    const refused = await run('groups', 'add', 'Support', 'nobody@example.com')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('Name a member by the email address.')
    await run('groups', 'delete', 'Support', '--yes')
  })
})

describe('grants', () => {
  it('are created, changed and ended for a group, a member and a server key, and decide what access says', async () => {
    const { email, key } = await makeSubjects()
    expect((await run('grants')).stdout).toContain('There are no grants')
    await run('groups', 'create', 'Writers')
    await run('groups', 'add', 'Writers', email)
    const terms = ['--role', 'editor', '--environments', 'staging']
    const ofGroup = await run('grants', 'create', '--group', 'Writers', ...terms)
    expect(ofGroup.stdout).toMatch(/Writers, group, editor, staging, every schema {2}gra_/)
    const ofKey = await run('grants', 'create', '--key', key, ...terms)
    const ofMember = await run('grants', 'create', '--member', email, ...terms)
    const listed = (await run('grants')).stdout
    for (const made of [ofGroup, ofKey, ofMember]) expect(listed).toContain(idOf(made.stdout))

    const ask = async (...args: string[]) => (await run('access', ...args)).stdout
    expect(await ask(key, '--env', 'staging')).toMatch(
      new RegExp(`^write values +yes +the grant ${idOf(ofKey.stdout)}: editor$`, 'm'),
    )
    expect(await ask(key, '--env', 'production')).toMatch(
      /^write values +no +nothing allows it there$/m,
    )
    expect(await ask(key)).toMatch(/^read secrets +yes +the access of the key$/m)
    expect(await ask(email, '--env', 'staging')).toMatch(/of the group Writers: editor$/m)
    expect(await ask(email)).toMatch(/^read values and flags +yes +the role viewer$/m)
    const json = JSON.parse(await ask(key, '--env', 'staging', '--json')) as object
    expect(json).toMatchObject({ subject: { type: 'api_key', name: key } })

    const id = idOf(ofKey.stdout)
    const changed = await run('grants', 'update', id, '--environments', 'staging,development')
    expect(changed.stdout).toContain('development, staging')
    expect(await ask(key, '--env', 'development')).toMatch(/^write values +yes/m)
    expect(await run('grants', 'end', id)).toMatchObject({ code: 2 })
    for (const made of [ofKey, ofMember]) await run('grants', 'end', idOf(made.stdout), '--yes')
    expect(await ask(key, '--env', 'staging')).toMatch(/^write values +no/m)
    await run('groups', 'delete', 'Writers', '--yes')
    expect((await run('grants')).stdout).toContain('There are no grants')
  })

  it('refuse what is left out or wrong before anything is stored, with the flag', async () => {
    const { key } = await makeSubjects()
    const refusals = [
      [[], 'Use one of --group, --member and --key.'],
      [['--key', key, '--group', 'x'], 'Use one of --group, --member and --key.'],
      [['--key', key], 'Use --role: admin, developer, editor, reader.'],
      [['--key', key, '--role', 'editor'], 'Use --environments <names> or --all-environments.'],
      [['--key', key, '--role', 'owner', '--all-environments'], 'admin'],
      [['--key', key, '--role', 'editor', '--environments', 'stagin'], 'Did you mean "staging"?'],
      [['--key', 'b2m', '--role', 'editor', '--all-environments'], 'Name a server key'],
    ] as const
    for (const [args, text] of refusals) {
      const { code, stderr } = await run('grants', 'create', ...args)
      expect([args, code === 0, stderr]).toEqual([args, false, expect.stringContaining(text)])
    }
    expect((await run('grants', 'update', 'gra_1', '--role', 'reader')).stderr).toContain(
      'which is in the list: signalbox grants',
    )
    expect((await run('access', 'nobody')).stderr).toContain(
      'There is no member or API key "nobody"',
    )
    expect((await run('grants')).stdout).toContain('There are no grants')
  })
})
