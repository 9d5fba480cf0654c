import { describe, expect, it } from 'vitest'
import { startSandbox } from './start-sandbox.ts'
import { openSandbox } from './testing/open-sandbox.ts'

const sandbox = await openSandbox()

describe('the addresses', () => {
  it('are all below the origin, which is of this machine', () => {
    expect(sandbox.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    for (const address of Object.values(sandbox.addresses)) {
      expect(address.startsWith(`${sandbox.origin}/`)).toBe(true)
    }
  })

  it('lead each to its own provider', async () => {
    for (const address of Object.values(sandbox.addresses)) await fetch(`${address}/nothing-here`)
    const asked = sandbox.log.list().map(({ provider, path }) => `${provider} ${path}`)
    expect(asked.toSorted()).toEqual([
      'discord /nothing-here',
      'discord /nothing-here',
      'forgejo /nothing-here',
      'github /_services/token/nothing-here',
      'github /nothing-here',
      'github /nothing-here',
      'gitlab /nothing-here',
      'jira /nothing-here',
      'jira /nothing-here',
      'linear /nothing-here',
      'linear /nothing-here',
      'mattermost /nothing-here',
      'slack /nothing-here',
      'slack /nothing-here',
      'vercel /nothing-here',
    ])
  })

  it('answer nothing beside them', async () => {
    expect((await fetch(`${sandbox.origin}/githubs`)).status).toBe(404)
    expect(sandbox.log.list()).toEqual([])
  })

  it('belong to one sandbox: two know nothing of each other', async () => {
    const other = await startSandbox()
    await fetch(`${other.addresses.jiraApi}/nothing-here`)
    await other.close()
    expect(other.origin).not.toBe(sandbox.origin)
    expect(sandbox.log.list()).toEqual([])
    await expect(fetch(other.origin)).rejects.toThrow('fetch failed')
  })
})

describe('a reset', () => {
  it('goes back to the real time, without faults, with nothing logged', async () => {
    sandbox.clock.advance(365 * 24 * 60 * 60_000)
    sandbox.faults.add({ provider: 'jira', times: 9, fault: { kind: 'drop' } })
    const sites = `${sandbox.addresses.jiraApi}/oauth/token/accessible-resources`
    await expect(fetch(sites)).rejects.toThrow('fetch failed')
    expect(sandbox.log.list()).toHaveLength(1)
    sandbox.reset()
    expect(sandbox.log.list()).toEqual([])
    expect(sandbox.clock.now().getTime()).toBeLessThanOrEqual(Date.now())
    expect((await fetch(sites)).status).toBe(401)
  })

  it('puts back what the providers had at the start', async () => {
    sandbox.jira.deleteIssue('ABC-1')
    const page = `${sandbox.origin}/atlassian/sites/acme/browse/ABC-1`
    expect((await fetch(page)).status).toBe(404)
    sandbox.reset()
    expect((await fetch(page)).status).toBe(200)
  })
})
