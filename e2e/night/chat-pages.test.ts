import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findViolations } from '../accessibility.ts'
import { shareBrowser } from '../browser.ts'
import { listMisfits } from '../dashboard/measure-page.ts'
import { takePicture } from '../take-picture.ts'
import { acmeMessages } from '../chats/acme-messages.ts'
import { openChats, type OpenedChat, type OpenedChats } from '../chats/open-chats.ts'

let chats: OpenedChats
let page: Page

beforeAll(async () => {
  const [opened, browser] = await Promise.all([openChats(), shareBrowser()])
  chats = opened
  const context = await browser.newContext({ viewport: { width: 1100, height: 860 } })
  page = await context.newPage()
})
afterAll(async () => {
  await page.context().close()
  await chats.close()
})

async function post({ sender, channelId }: OpenedChat): Promise<void> {
  for (const { message, details } of acmeMessages) {
    const thread = await sender.post(message, { channelId, key: randomUUID() })
    if (details === undefined) continue
    await sender.post(details, { channelId, key: randomUUID(), thread })
  }
}

/** All three chats tell links from the text around them by their colour alone. */
const nativeLook = ['link-in-text-block']

describe.each(['slack', 'discord', 'mattermost'] as const)('a channel of %s', (name) => {
  it('shows a day of messages that everybody can read, by day and by night, on a phone too', async () => {
    const chat = await chats.open[name]()
    await post(chat)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(chat.url)
      await page.getByText('Deploying to staging').first().waitFor()
      await takePicture(page, `chat-${name}-${colorScheme}`)
      expect(await findViolations(page, { without: nativeLook })).toEqual([])
    }
    expect(await listMisfits(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 800 })
    await takePicture(page, `chat-${name}-390`)
    await page.setViewportSize({ width: 1100, height: 860 })
  })
})
