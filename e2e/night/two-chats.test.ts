import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  exampleClient,
  startPretendChat,
  type PretendChat,
} from '../../packages/server/src/providers/testing/example-chat/pretend-server.ts'
import { openDashboard, type Dashboard } from '../dashboard/open-dashboard.ts'

// The one line that a provider adds to the service besides its folder.
vi.mock(import('../../packages/server/src/providers/registry.ts'), async (importOriginal) => {
  const registry = await importOriginal()
  const { exampleChat } =
    await import('../../packages/server/src/providers/testing/example-chat/index.ts')
  return { ...registry, providers: [...registry.providers, exampleChat] }
})

let chat: PretendChat
let dashboard: Dashboard

beforeAll(async () => {
  chat = await startPretendChat()
  dashboard = await openDashboard({ more: { SIGNALBOX_EXAMPLE_CHAT_URL: chat.url } })
})
afterAll(async () => {
  await dashboard.close()
  await chat.close()
})

describe('a server with two chats', () => {
  it('offers the one that is set up, then both, and shows the one that is connected by its own name', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await seat.go('/integrations/chat')
    await button('Connect Slack').waitFor()
    expect(await button('Connect Example Chat').count()).toBe(0)

    const { apiUrl, session } = dashboard.service
    const stored = await fetch(`${apiUrl}/server/provider-apps/example-chat`, {
      method: 'PUT',
      headers: {
        cookie: session,
        origin: apiUrl,
        'x-requested-by': 'dashboard',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ provider: 'example-chat', ...exampleClient }),
    })
    expect(stored.status).toBe(200)
    await seat.go('/integrations/chat')
    await button('Connect Slack').waitFor()
    await button('Connect Example Chat').click()
    await page.getByRole('heading', { name: 'Example Chat' }).first().waitFor()
    await page.getByText('Acme talks').first().waitFor()
    expect(await page.getByText('Slack').count()).toBe(0)
    await seat.picture('two-chats')
    expect(await seat.accessibilityViolations()).toEqual([])
    await seat.close()
  })
})
