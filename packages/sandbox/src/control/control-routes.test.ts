import { request as send } from 'node:http'
import { describe, expect, it } from 'vitest'
import { openSandbox } from '../testing/open-sandbox.ts'

const sandbox = await openSandbox()

type Body = Readonly<Record<string, unknown>>

async function ask(path: string, body?: Body): Promise<{ status: number; body: Body }> {
  const answer = await fetch(
    `${sandbox.origin}/control${path}`,
    body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
  )
  return { status: answer.status, body: (await answer.json()) as Body }
}

describe('/control', () => {
  it('tells what the product is configured with, and how everything stands', async () => {
    const { body } = await ask('')
    expect(body).toMatchObject({
      origin: sandbox.origin,
      settings: { 'slack-rotation': false },
      faults: [],
    })
    expect(body['participants']).toContainEqual(
      expect.objectContaining({ name: 'github', settings: sandbox.settingsOf(['github']) }),
    )
  })

  it('sets where the pipelines of the shop report to, and refuses half of it', async () => {
    const pipelines = { url: 'http://127.0.0.1:4400', organization: 'org_1' }
    await ask('/pipelines', pipelines)
    expect(sandbox.stage.variables).toEqual(pipelines)
    expect((await ask('/pipelines', { url: pipelines.url })).status).toBe(422)
  })

  it('sends a person through its pages, who allows or denies, and to no others', async () => {
    const backTo = 'http://127.0.0.1:4400/integrations/tracker/oauth/callback'
    sandbox.jira.app.redirectUris = [backTo]
    const query = new URLSearchParams({
      audience: 'api.atlassian.com',
      client_id: sandbox.jira.app.clientId,
      scope: 'read:jira-work',
      redirect_uri: backTo,
      state: 'its state',
      response_type: 'code',
      prompt: 'consent',
    })
    const url = `${sandbox.addresses.jiraAuth}/authorize?${query}`
    const locationOf = async (body: Body) =>
      new URL(String((await ask('/visits', body)).body['location']))
    const allowed = await locationOf({ url, backTo })
    expect(`${allowed.origin}${allowed.pathname}`).toBe(backTo)
    expect(Object.fromEntries(allowed.searchParams)).toEqual({
      code: expect.any(String),
      state: 'its state',
    })
    const denied = await locationOf({ url, backTo, decision: 'deny' })
    expect(denied.searchParams.get('error')).toBe('access_denied')
    for (const elsewhere of ['http://127.0.0.1:1/', `${sandbox.origin}.example.com/`, '']) {
      expect((await ask('/visits', { url: elsewhere, backTo })).status).toBe(422)
    }
    expect((await ask('/visits', { url: sandbox.origin + '/nowhere', backTo })).status).toBe(422)
  })

  it('pushes, and lists what was pushed', async () => {
    const wanted = { scenario: 'hotfix', spacing: 'none', messages: ['ABC-2 Mend it'] }
    const { status, body } = await ask('/push', wanted)
    expect([status, body['state'], body['messages']]).toEqual([201, 'success', ['ABC-2 Mend it']])
    expect((await ask('/pushes')).body).toMatchObject({ pushes: [{ scenario: 'hotfix' }] })
    expect((await ask('/push', { scenario: 'magic' })).status).toBe(422)
  })

  it('adds faults, lists those that have not happened, and clears them', async () => {
    const fault = { provider: 'slack', times: 2, fault: { kind: 'answer', status: 503 } }
    expect((await ask('/faults', fault)).body).toEqual({ faults: [fault] })
    expect((await fetch(`${sandbox.addresses.slackApi}/auth.test`)).status).toBe(503)
    expect((await ask('/faults')).body).toEqual({ faults: [{ ...fault, times: 1 }] })
    await ask('/faults/clear', {})
    expect((await fetch(`${sandbox.addresses.slackApi}/auth.test`)).status).toBe(200)
  })

  it.each([
    {},
    { provider: 'nobody', fault: { kind: 'drop' } },
    { provider: 'slack', fault: { kind: 'explode' } },
    { provider: 'slack', fault: { kind: 'drip' } },
    { provider: 'slack', fault: { kind: 'slow', ms: -1 } },
    { provider: 'slack', fault: { kind: 'answer', status: 99 } },
  ])('refuses what is no fault: %j', async (fault) => {
    expect((await ask('/faults', fault)).status).toBe(422)
    expect(sandbox.faults.list()).toEqual([])
  })

  it('turns the switches and the settings that the page offers', async () => {
    expect((await ask('/switches/slack-too-many', {})).status).toBe(200)
    expect((await fetch(`${sandbox.addresses.slackApi}/auth.test`)).status).toBe(429)
    expect((await ask('/settings/slack-rotation', { on: true })).body).toEqual({
      'slack-rotation': true,
    })
    expect(sandbox.slack.rotation).toBe(true)
    expect((await ask('/switches/nothing', {})).status).toBe(404)
    expect((await ask('/settings/nothing', {})).status).toBe(404)
  })

  it('puts the clock forward, and never back', async () => {
    await ask('/clock', { advanceMs: 3_600_000 })
    expect(sandbox.clock.now().getTime()).toBeGreaterThan(Date.now() + 3_500_000)
    expect((await ask('/clock', { advanceMs: -1 })).status).toBe(422)
  })

  it('lists what was asked of a provider', async () => {
    await fetch(`${sandbox.addresses.slackApi}/auth.test`)
    await fetch(`${sandbox.addresses.jiraApi}/nothing`)
    const { body } = await ask('/requests?provider=jira&limit=5')
    expect(body).toMatchObject({ requests: [{ provider: 'jira', path: '/nothing' }] })
  })

  it('resets', async () => {
    await ask('/push', { spacing: 'none' })
    await ask('/reset', {})
    expect(sandbox.stage.pushes()).toEqual([])
  })
})

describe('a page of another address', () => {
  const status = (headers: Readonly<Record<string, string>>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const url = `${sandbox.origin}/control/push`
      send(url, { method: 'POST', headers, agent: false }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
        .once('error', reject)
        .end()
    })

  it('steers nothing, under no name that leads here', async () => {
    const { host, port } = new URL(sandbox.origin)
    expect(await status({ origin: 'https://example.com' })).toBe(403)
    expect(await status({ host: `example.com:${port}` })).toBe(403)
    expect(
      await status({ host: `example.com:${port}`, origin: `http://example.com:${port}` }),
    ).toBe(403)
    expect(sandbox.stage.pushes()).toEqual([])
    expect(await status({ origin: `http://${host}` })).toBe(303)
    expect(sandbox.stage.pushes()).toHaveLength(1)
  })
})
