import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Sandbox } from '../sandbox.ts'
import { startSandbox } from '../start-sandbox.ts'
import { participants } from './participants.ts'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox()
})
afterEach(() => sandbox.reset())
afterAll(() => sandbox.close())

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
      participants.map(({ name }) => name),
    )
    for (const { name, settings } of participants) {
      const names = Object.keys(settings(sandbox))
      expect(names).not.toEqual([])
      for (const setting of names) {
        expect(setting).toMatch(new RegExp(`^SIGNALBOX_${name.toUpperCase()}_`))
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
  })

  it('are known', async () => {
    expect((await choose(['gitlab', 'nobody'])).status).toBe(422)
  })
})
