import { afterEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../testing/open-sandbox.ts'

const sandbox = await openSandbox()

afterEach(async () => {
  await choose(['jira'])
})

const choose = (names: readonly string[]) =>
  fetch(`${sandbox.origin}/control/participants`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ names, service: 'http://127.0.0.1:4400' }),
  })

describe('those who take part', () => {
  it('each say with which settings they are used, and nothing of another', async () => {
    const { participants: shown } = await (await fetch(`${sandbox.origin}/control`)).json()
    expect(shown.map(({ name }: { name: string }) => name)).toEqual(
      sandbox.cast.map(({ name }) => name),
    )
    for (const { name, settings, sharesWith = name } of sandbox.cast) {
      const names = Object.keys(settings())
      expect(names).not.toEqual([])
      for (const setting of names) {
        expect(setting).toMatch(new RegExp(`^SIGNALBOX_${sharesWith.toUpperCase()}_`))
      }
    }
  })

  it('are linked on the push page, and the product is registered with them', async () => {
    expect((await choose(['gitlab', 'linear', 'mattermost'])).status).toBe(200)
    expect(sandbox.gitlab.app.redirectUris).toEqual([
      'http://127.0.0.1:4400/integrations/codehost/oauth/callback',
    ])
    expect(sandbox.linear.app.webhookUrl).toBe('http://127.0.0.1:4400/webhooks/linear')
    const page = await (await fetch(`${sandbox.origin}/`)).text()
    expect(page).toContain(`${sandbox.addresses.linearWeb}/acme/issue/ABC-1`)
    expect(page).toContain(`/mattermost/channels/${sandbox.mattermost.channelId('Deployments')}`)
    expect(page).not.toContain('/atlassian/')
    expect(page).not.toContain('/slack/channels/')
    // Faults of others would do nothing.
    expect(page).toContain('id="switch-linear-too-many"')
    expect(page).toContain('id="switch-mattermost-cut"')
    expect(page).not.toMatch(/id="(?:switch|set)-(?:slack|jira|github|discord)-/)
  })

  it.each([
    ['forgejo', 'forgejo-issues', 'forgejo', /\(#1\)$/],
    ['forgejo', 'github-issues', 'github', /\(acme\/shop#1\)$/],
  ] as const)(
    'push to %s and name the issues of %s, which have pages',
    async (codeHost, tracker, issueHost, named) => {
      expect((await choose([codeHost, tracker])).status).toBe(200)
      expect(sandbox[issueHost].codeHost.issues()).toHaveLength(4)
      const { host, messages } = sandbox.stage.push({ scenario: 'feature', spacing: 'none' })
      expect([host, messages[0]]).toEqual([codeHost, expect.stringMatching(named)])
      const page = await (await fetch(`${sandbox.origin}/`)).text()
      const [issue] = sandbox[issueHost].codeHost.issues()
      expect(page).toContain(`(<a href="${issue?.url}">`)
      const opened = await fetch(issue?.url ?? '')
      expect(`${opened.status} ${await opened.text()}`).toMatch(/^200 [^]*The basket forgets/)
    },
  )

  it('of the issues of a host enter the addresses of that host', async () => {
    await choose(['gitlab', 'github-issues', 'mattermost'])
    expect(sandbox.github.app).toMatchObject({
      callbackUrls: ['http://127.0.0.1:4400/integrations/codehost/oauth/callback'],
      webhookUrl: 'http://127.0.0.1:4400/webhooks/codehost',
    })
  })

  it('are used and registered by their names in a test', async () => {
    expect(Object.keys(sandbox.settingsOf(['forgejo', 'mattermost']))).toEqual([
      'SIGNALBOX_FORGEJO_URL',
      'SIGNALBOX_FORGEJO_CLIENT_ID',
      'SIGNALBOX_FORGEJO_CLIENT_SECRET',
      'SIGNALBOX_MATTERMOST_URL',
    ])
    await sandbox.register('http://127.0.0.1:4401', ['linear'])
    expect(sandbox.linear.app.webhookUrl).toBe('http://127.0.0.1:4401/webhooks/linear')
    expect(() => sandbox.settingsOf(['nobody'])).toThrow('No provider of the sandbox is named')
  })

  it('are known', async () => {
    expect((await choose(['gitlab', 'nobody'])).status).toBe(422)
  })
})
