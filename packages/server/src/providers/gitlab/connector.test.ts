import { visit } from '@signalbox/sandbox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Connected, OAuthConnector } from '../connector.ts'
import { createGitlabConnector } from './connector.ts'
import { openGitlab, type OpenGitlab } from './testing/open-gitlab.ts'

let opened: OpenGitlab
let connector: OAuthConnector
const redirectUri = 'http://127.0.0.1:4400/integrations/codehost/oauth/callback'

beforeAll(async () => {
  opened = await openGitlab()
  const { gitlab, sandbox, egress, webUrl } = opened
  const { clientId, clientSecret } = gitlab.app
  const app = { clientId, clientSecret }
  connector = createGitlabConnector({
    provider: 'gitlab',
    webUrl,
    app,
    egress,
    now: () => sandbox.clock.now(),
  })
})
beforeEach(() => {
  opened.sandbox.reset()
  opened.gitlab.app.redirectUris = [redirectUri]
})
afterAll(() => opened.close())

async function connect(level?: 'read'): Promise<Connected> {
  const url = connector.authorizeUrl({ state: 's', redirectUri, codeChallenge: undefined, level })
  const code = (await visit(url, 'allow', redirectUri)).get('code') ?? ''
  const connected = await connector.connect({ code, redirectUri, codeVerifier: undefined })
  if (typeof connected === 'string') throw new Error(connected)
  return connected
}

const refresh = (token: string | null | undefined) => connector.refresh?.(token ?? '')

describe('connecting GitLab', () => {
  it('brings an account of this instance, with the scopes of its level', async () => {
    const connected = await connect()
    expect(connected.account?.id).toMatch(/^127\.0\.0\.1:\d+\/gitlab\/\d+$/)
    expect(connected).toMatchObject({
      scopes: ['api', 'read_api'],
      settings: { hostVersion: '19.2.1' },
    })
    expect((await connect('read')).scopes).toEqual(['read_api'])
  })

  it('renews both tokens, with the redirect URI of the first', async () => {
    const { grant } = await connect()
    const renewed = await refresh(grant?.refreshToken)
    expect(renewed?.refreshToken).not.toBe(grant?.refreshToken)
    expect(renewed?.refreshToken).toContain(redirectUri)
    // The one before is dead at once: a lost answer is the end, after some tries.
    await expect(refresh(grant?.refreshToken)).rejects.toMatchObject({
      failure: 'rejected',
      code: 'invalid_grant',
    })
    expect(connector.refreshLoss).toEqual({ replayMs: 0, invalidGrantIsFinal: false })
    await expect(refresh(renewed?.refreshToken)).resolves.toBeDefined()
  })

  it('renews with a token that a lagging replica has refused', async () => {
    const { grant } = await connect()
    opened.gitlab.settings.refusesGoodRefreshes = 1
    await expect(refresh(grant?.refreshToken)).rejects.toMatchObject({ code: 'invalid_grant' })
    await expect(refresh(grant?.refreshToken)).resolves.toBeDefined()
  })

  it('ends with its webhooks removed and its tokens dead, also hours later', async () => {
    const { project, id } = opened.addShop()
    const { grant, account } = await connect()
    const { hooks } = opened.apiWith(['api'])
    const secrets = hooks?.newSecrets() ?? []
    const url = 'http://127.0.0.1:4400/webhooks/gitlab/int_1'
    const made = await hooks?.install({
      url,
      secrets,
      hooks: [],
      repositoryIds: [id],
      formerPaths: [],
      withIssues: false,
    })
    expect(project.hooks.size).toBe(1)
    opened.sandbox.clock.advance(3 * 3600_000)
    const of = { accountId: account?.id ?? '', grant, hooks: made?.hooks ?? [] }
    await connector.revoke?.(of)
    expect(project.hooks.size).toBe(0)
    await expect(refresh(grant?.refreshToken)).rejects.toMatchObject({ code: 'invalid_grant' })
  })
})
