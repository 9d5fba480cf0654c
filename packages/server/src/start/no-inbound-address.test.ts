import { afterAll, beforeAll, expect, it } from 'vitest'
import { webhookUrl } from '../providers/find-provider.ts'
import { github as provider } from '../providers/github/index.ts'
import { connectAll } from './testing/connect-organization.ts'
import { openConnected, type Connected } from './testing/open-connected.ts'
import { openShop } from './testing/play-push.ts'

let service: Connected

beforeAll(async () => {
  service = await openConnected({ initialHoldMs: 300 })
  await connectAll(service)
  const { slack, github } = service.sandbox
  await service.ask('PATCH /integrations/chat', {
    defaultChannelId: slack.channelId('deployments'),
  })
  // The manifest names this address even for a server that GitHub cannot reach.
  github.app.webhookUrl = webhookUrl(provider, service.apiUrl)
})
afterAll(() => service.close())

it('a server that GitHub cannot reach fetches what happens there, and tells of it once', async () => {
  const { hooks } = service.sandbox.github
  const shop = openShop(service.sandbox)
  shop.deploy('staging', ['success'])
  shop.push('ABC-1 Keep the currency')
  shop.deploy('staging', ['queued', 'in_progress', 'success'])
  await hooks.settled()
  // It looks once a minute, and when it starts.
  await service.addNode()
  const origins = async () => {
    const { items } = await service.ask<{
      readonly items: readonly { readonly origin: string }[]
    }>('GET /webhook-deliveries?event=deployment_status')
    return items.map(({ origin }) => origin)
  }
  // A sync may have found the deployment before.
  const pulled = Array.from({ length: 4 }, () => 'pull')
  await expect.poll(origins, { timeout: 40_000, interval: 100 }).toEqual(pulled)
  const messages = () =>
    service.sandbox.slack.messages('deployments').map((message) => JSON.stringify(message))
  await expect
    .poll(() => messages().filter((text) => text.includes('ABC-1')), {
      timeout: 40_000,
      interval: 100,
    })
    .toEqual([expect.stringMatching(/Deployed to staging.*The basket forgets its currency/)])
})
