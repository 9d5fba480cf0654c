import { describe, expect, it } from 'vitest'
import { createGithubClient } from '../../../server/src/providers/github/stand-in/testing/github-client.ts'
import { startReceiver } from '../../../server/src/providers/github/stand-in/testing/receiver.ts'
import {
  callJira,
  connect as connectJira,
  postRefresh,
} from '../../../server/src/providers/jira/stand-in/testing/connect.ts'
import { redirectUri as jiraRedirect } from '../../../server/src/providers/jira/stand-in/testing/connect.ts'
import { openSandbox } from '../testing/open-sandbox.ts'
import {
  connect as connectSlack,
  redirectUri as slackRedirect,
} from '../../../server/src/providers/slack/stand-in/testing/slack-client.ts'
import { visit } from '../visit.ts'
import { switchesOf } from './switches.ts'

const sandbox = await openSandbox()

function turn(name: string): void {
  const found = switchesOf(sandbox).find((one) => one.name === name)
  if (found === undefined) throw new Error(`There is no switch ${name}`)
  found.turn()
}

/** Gives consent at Linear. Returns an access token. */
async function connectLinear(): Promise<string> {
  const { addresses, linear } = sandbox
  const client = { client_id: linear.app.clientId, redirect_uri: slackRedirect }
  linear.app.redirectUris = [slackRedirect]
  const asked = { ...client, response_type: 'code', scope: 'read', actor: 'app' }
  const url = `${addresses.linearWeb}/oauth/authorize?${new URLSearchParams(asked).toString()}`
  const code = (await visit(url, 'allow', slackRedirect)).get('code') ?? ''
  const answer = await fetch(`${addresses.linearApi}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...client,
      code,
      grant_type: 'authorization_code',
      client_secret: linear.app.clientSecret,
    }),
  })
  return String(Reflect.get(Object(await answer.json()), 'access_token'))
}

/** Asks Linear who the token is of. Returns the status. */
async function askLinear(token: string): Promise<number> {
  const { status } = await fetch(`${sandbox.addresses.linearApi}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ viewer { id } }' }),
  })
  return status
}

describe('the switch', () => {
  it('that expires tokens ends those of all providers, and none that refreshes them', async () => {
    sandbox.jira.app.redirectUris = [jiraRedirect]
    sandbox.slack.app.redirectUris = [slackRedirect]
    const lasting = await connectSlack(sandbox)
    sandbox.slack.rotation = true
    const rotating = await connectSlack(sandbox)
    const jira = await connectJira(sandbox)
    const installation = sandbox.github.install({ account: 'acme' })
    const client = createGithubClient(sandbox)
    const token = await client.installationToken(installation)
    const linear = await connectLinear()
    expect(await askLinear(linear)).toBe(200)
    turn('expire')
    expect(await askLinear(linear)).toBe(401)
    expect((await client.api('GET /installation/repositories', { token })).status).toBe(401)
    expect((await callJira(sandbox, jira.access_token, '/issue/ABC-1')).status).toBe(401)
    expect(await rotating.call('auth.test')).toMatchObject({ error: 'token_expired' })
    expect(await lasting.call('auth.test')).toMatchObject({ ok: true })
    expect((await postRefresh(sandbox, jira.refresh_token)).status).toBe(200)
    const again = await client.installationToken(installation)
    expect((await client.api('GET /installation/repositories', { token: again })).status).toBe(200)
  })

  it('that turns webhooks around sends the last one first', async () => {
    const receiver = await startReceiver()
    sandbox.github.app.webhookUrl = receiver.url
    sandbox.github.install({ account: 'acme' })
    await expect.poll(() => receiver.events()).toEqual(['installation'])
    turn('webhook-shuffle')
    sandbox.stage.push({ scenario: 'feature', messages: ['ABC-1'] })
    sandbox.stage.push({ scenario: 'hotfix' })
    expect(receiver.events()).toHaveLength(1)
    sandbox.clock.advance(4_000)
    const { hooks, app } = sandbox.github
    const refs = () =>
      hooks.deliveries
        .list(app.id)
        .filter(({ event }) => event === 'push')
        .map(({ json }) => String(JSON.parse(json).ref).replace(/\d+/, '…'))
        .toReversed()
    const turned = ['refs/heads/hotfix/…', 'refs/heads/hotfix/…', 'refs/heads/main']
    // More is pushed later, in the order in which it happens.
    await expect.poll(() => refs().slice(0, turned.length)).toEqual(turned)
    await receiver.close()
  })

  it('is said of each what it does', () => {
    for (const { name, title, explains } of switchesOf(sandbox)) {
      expect(name).toMatch(/^[a-z-]+$/)
      expect([title, explains]).not.toContain('')
      turn(name)
    }
  })
})
