import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openLinear } from './testing/open-linear.ts'

let app: Awaited<ReturnType<typeof openLinear>>
beforeAll(async () => {
  app = await openLinear()
})
afterAll(() => app.close())
beforeEach(() => app.sandbox.reset())

const minute = 60_000
const refresh = async (token: string) => {
  if (app.connector.refresh === undefined) throw new Error('Nothing is refreshed')
  return app.connector.refresh(token)
}
async function grantedTokens() {
  const { grant } = await app.connect()
  if (grant === null || grant.refreshToken === null) throw new Error('Nothing was granted')
  return { ...grant, refreshToken: grant.refreshToken }
}

describe('connecting with Linear', () => {
  it('asks for reading alone, as the application and with a code challenge', () => {
    expect(Object.fromEntries(new URL(app.authorizeUrl).searchParams)).toMatchObject({
      response_type: 'code',
      scope: 'read',
      actor: 'app',
      prompt: 'consent',
      code_challenge_method: 'S256',
    })
  })

  it('connects the workspace that the person has chosen', async () => {
    const { workspace } = app.linear
    const connected = await app.connect()
    expect(connected).toMatchObject({
      account: {
        id: workspace.id,
        name: 'Acme',
        url: `${app.sandbox.addresses.linearWeb}/acme`,
      },
      scopes: ['read'],
    })
    const endsMs = connected.grant?.accessExpiresAt?.getTime() ?? 0
    expect(endsMs - app.sandbox.clock.now().getTime()).toBeGreaterThan(23 * 60 * minute)
  })
})

describe('a refresh token of Linear', () => {
  it('whose answer was lost is good for as long as the connector says, and not longer', async () => {
    const { refreshToken } = await grantedTokens()
    const { replayMs = 0, invalidGrantIsFinal } = app.connector.refreshLoss ?? {}
    app.sandbox.faults.add({
      provider: 'linear',
      request: 'POST /oauth/token',
      fault: { kind: 'cut' },
    })
    await expect(refresh(refreshToken)).rejects.toMatchObject({ failure: 'ambiguous' })
    app.sandbox.clock.advance(replayMs - minute)
    const again = await refresh(refreshToken)
    expect(again.refreshToken).not.toBe(refreshToken)
    // Each repeat gets the pair that was lost, so that none of them ends another.
    expect(await refresh(refreshToken)).toMatchObject({
      accessToken: again.accessToken,
      refreshToken: again.refreshToken,
    })
    app.sandbox.clock.advance(2 * minute)
    await expect(refresh(refreshToken)).rejects.toMatchObject({
      failure: 'rejected',
      code: 'invalid_grant',
    })
    expect(invalidGrantIsFinal).toBe(true)
    expect((await refresh(again.refreshToken ?? '')).accessToken).not.toBe(again.accessToken)
  })

  it('is dead with its access token after the connection was ended, which may be repeated', async () => {
    const grant = await grantedTokens()
    const ended = { accountId: app.linear.workspace.id, grant }
    await app.connector.revoke?.(ended)
    await app.connector.revoke?.(ended)
    await expect(refresh(grant.refreshToken)).rejects.toMatchObject({ code: 'invalid_grant' })
    await expect(app.open(grant).findIssues(['ABC-1'])).rejects.toMatchObject({
      failure: 'unauthorized',
    })
  })

  it('is not taken for ended while Linear does not answer', async () => {
    const grant = await grantedTokens()
    const request = 'POST /oauth/revoke'
    app.sandbox.faults.add({ provider: 'linear', request, fault: { kind: 'answer', status: 503 } })
    await expect(
      app.connector.revoke?.({ accountId: app.linear.workspace.id, grant }),
    ).rejects.toMatchObject({ failure: 'unavailable', code: 'http_503' })
  })
})
