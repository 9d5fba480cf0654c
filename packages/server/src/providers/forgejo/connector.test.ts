import { visit } from '@signalbox/sandbox'
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findLack, levelOf } from '../capability.ts'
import type { Connected, OAuthConnector } from '../connector.ts'
import { createForgejoConnector } from './connector.ts'
import { forgejo as descriptor } from './index.ts'
import { forgejoIssues } from './issues/index.ts'
import { forgejoPipelineTokens } from './pipeline-tokens.ts'
import { openForgejo, type OpenForgejo } from './testing/open-forgejo.ts'

const redirectUri = 'http://127.0.0.1:4400/integrations/codehost/oauth/callback'
const verifier = 'a-verifier-of-the-tests-that-is-long-enough-for-rfc-7636'

let app: OpenForgejo
let connector: OAuthConnector

beforeAll(async () => {
  app = await openForgejo()
})
afterAll(() => app.close())
beforeEach(() => {
  app.sandbox.reset()
  app.forgejo.app.redirectUris = [redirectUri]
  const { webUrl, egress, sandbox } = app
  const now = () => sandbox.clock.now()
  connector = createForgejoConnector({ webUrl, app: app.forgejo.app, egress, now })
})

async function goThrough(level?: 'read' | 'full'): Promise<URLSearchParams> {
  const codeChallenge = createHash('sha256').update(verifier).digest('base64url')
  const url = connector.authorizeUrl({ state: 'state-1', redirectUri, codeChallenge, level })
  return visit(url, 'allow', redirectUri)
}

async function connect(level?: 'read' | 'full'): Promise<Connected> {
  const code = (await goThrough(level)).get('code') ?? ''
  const connected = await connector.connect({ code, redirectUri, codeVerifier: verifier })
  if (typeof connected === 'string') throw new Error(connected)
  return connected
}

const instance = () => app.webUrl.replace('http://', '')

describe('connecting', () => {
  it('names the person of this instance, what was granted, and the version', async () => {
    expect(await connect()).toMatchObject({
      account: { id: `${instance()}/61`, name: 'ada', url: `${app.webUrl}/ada` },
      scopes: ['write:repository', 'read:issue', 'read:user', 'read:repository'],
      settings: { hostVersion: '13.0.2+gitea-1.22.0' },
    })
  })

  it('for reading asks for nothing more, and that is what it has', async () => {
    const { scopes } = await connect('read')
    expect(scopes).toEqual(['read:repository', 'read:issue', 'read:user'])
    expect(levelOf(descriptor, scopes)).toBe('read')
    expect(findLack(descriptor, scopes, 'startWorkflows')).toMatchObject({
      nextStep: 'Connect Forgejo again with full access.',
    })
    expect(findLack(descriptor, scopes, 'recordDeployments')?.nextStep).toContain(
      'signalbox deployments report',
    )
  })

  it('is bound to the browser that began it by a code challenge', () => {
    const request = { state: 's', redirectUri, codeChallenge: 'a-challenge' }
    const { searchParams } = new URL(connector.authorizeUrl(request))
    expect(searchParams.get('code_challenge')).toBe('a-challenge')
    expect(searchParams.get('code_challenge_method')).toBe('S256')
    expect(connector.usesPkce).toBe(true)
  })

  it('never asks without a scope of the API, which would be for everything', () => {
    for (const level of ['read', 'full'] as const) {
      const request = { state: 's', redirectUri, codeChallenge: undefined, level }
      const scope = new URL(connector.authorizeUrl(request)).searchParams.get('scope')
      expect(scope).toMatch(/^(?:read|write):repository read:issue read:user$/)
    }
  })

  it('with other rights than the first time is refused by the instance, and told apart', async () => {
    await connect('read')
    const query = Object.fromEntries(await goThrough('full'))
    expect(query).toMatchObject({ error: 'server_error' })
    expect(descriptor.returns?.read(query)).toBe('granted_otherwise')
    expect(descriptor.returns?.read({ error: 'server_error', state: 's' })).toBeUndefined()
    app.forgejo.revokeGrants()
    expect((await connect('full')).scopes).toContain('write:repository')
  })
})

describe('connecting the issues alone', () => {
  it('asks for what reading takes, and revokes nothing', async () => {
    const connectorOfIssues = forgejoIssues.openConnector(
      {
        addresses: { web: app.webUrl },
        egress: app.egress,
        now: () => app.sandbox.clock.now(),
        application: () => undefined,
      },
      { values: { clientId: 'id', clientSecret: 'secret' }, webhookSecrets: [] },
    )
    const own = connectorOfIssues.way === 'shared' ? connectorOfIssues.own : undefined
    const url = own?.authorizeUrl({ state: 's', redirectUri, codeChallenge: undefined }) ?? ''
    expect(new URL(url).searchParams.get('scope')).toBe('read:repository read:issue read:user')
    expect(own).toMatchObject({ provider: 'forgejo-issues', revoke: undefined })
    expect(findLack(forgejoIssues, ['read:issue'], 'followIssues')?.nextStep).toBe(
      'Connect Forgejo as the code host with full access.',
    )
  })
})

describe('renewing', () => {
  it('sends the refresh token once, and its end is final', async () => {
    const { grant } = await connect()
    const refreshToken = grant?.refreshToken ?? ''
    app.sandbox.clock.advance(3_601_000)
    const renewed = await connector.refresh?.(refreshToken)
    expect(renewed).toMatchObject({ scopes: [], refreshToken: expect.any(String) })
    await expect(connector.refresh?.(refreshToken)).rejects.toMatchObject({
      failure: 'rejected',
      code: 'unauthorized_client',
    })
    expect(connector.refreshLoss).toEqual({ replayMs: 0, invalidGrantIsFinal: true })
  })
})

describe('disconnecting', () => {
  it('removes the webhooks, also with an access token that has ended, and revokes nothing', async () => {
    const { grant } = await connect()
    const { repository, id } = app.addShop()
    const hooks = app.apiWith(['write:repository', 'read:user']).hooks
    const url = 'https://signalbox.example.com/webhooks/forgejo/int_1'
    const request = {
      url,
      secrets: ['s'],
      hooks: [],
      formerPaths: [],
      repositoryIds: [id],
      withIssues: false,
    }
    const made = await hooks?.install(request)
    expect(repository.hooks.size).toBe(1)
    app.sandbox.clock.advance(3_601_000)
    const accountId = `${instance()}/61`
    await connector.revoke?.({ accountId, grant, hooks: made?.hooks ?? [] })
    expect(repository.hooks.size).toBe(0)
    expect(connector.revokes).toBe('webhooks')
    expect(connector.revokeAdvice).toContain('Applications')
  })
})

describe('a token of a job', () => {
  it('names its run by the number of this instance', () => {
    const { issuer, jwksUrl, readIdentity } = forgejoPipelineTokens(app.webUrl)
    expect([issuer, jwksUrl]).toEqual([
      `${app.webUrl}/api/actions`,
      `${app.webUrl}/api/actions/.well-known/keys`,
    ])
    const claims = { repository_id: '42', run_id: '7', run_attempt: '1' }
    expect(readIdentity(claims)).toEqual({
      repositoryExternalId: `${instance()}/42`,
      runId: '7',
      attempt: 1,
    })
    expect(readIdentity({ ...claims, ref_protected: 'false' })).toMatchObject({
      isRefProtected: false,
    })
    expect(readIdentity({ ...claims, repository_id: undefined })).toBeUndefined()
  })

  it('of a pull request, whose code may be somebody else’s, passes for nobody', () => {
    const { readIdentity } = forgejoPipelineTokens(app.webUrl)
    const claims = { repository_id: '42', run_id: '7', run_attempt: '1' }
    for (const more of [
      { event_name: 'pull_request' },
      { event_name: 'pull_request_target' },
      { ref: 'refs/pull/3/head' },
    ]) {
      expect(readIdentity({ ...claims, ...more })).toBeUndefined()
    }
  })
})
