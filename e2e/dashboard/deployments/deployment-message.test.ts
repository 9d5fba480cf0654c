import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { look } from '../look.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'
import { openPipeline, type Pipeline } from './play-deployments.ts'

let dashboard: Dashboard
let pipeline: Pipeline
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  pipeline = openPipeline(dashboard.service)
  seat = await dashboard.open()
  page = seat.page
})
afterAll(() => dashboard.close())

const region = (name: string) => page.getByRole('region', { name, exact: true })
const timeline = () => region('Timeline')
const step = (title: string | RegExp) =>
  timeline().getByRole('listitem').filter({ hasText: title }).first()

describe('the message of a deployment', () => {
  const message = () => region('Message')

  beforeAll(async () => {
    const { ask, sandbox } = dashboard.service
    await dashboard.service.connect('chat')
    await ask('PATCH /integrations/chat', {
      defaultChannelId: sandbox.slack.channelId('deployments'),
    })
  })

  it('waits, is sent, and then leads to where it stands in the chat', async () => {
    const id = await pipeline.deploy({ message: 'Told of', state: 'in_progress' })
    await seat.go(`/deployments/${id}`)
    await message().getByText('Message Waiting', { exact: true }).waitFor()
    await message().getByText('#deployments').waitFor()
    await step('Message to #deployments').getByText('Waiting', { exact: true }).waitFor()
    expect(await message().getByRole('link').count()).toBe(0)
    await message().getByText('Message Sent', { exact: true }).waitFor()
    await step('Message to #deployments: sent').waitFor()
    const link = message().getByRole('link', { name: 'Open' })
    const [chat] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await chat.getByText('Told of').first().waitFor()
    await chat.close()
  })

  it('that failed says why and what to do, beside the buttons that do it, and arrives in another channel once that is chosen', async () => {
    const { slack } = dashboard.service.sandbox
    slack.archive('deployments')
    const id = await pipeline.deploy({ message: 'Told of in vain' })
    await seat.go(`/deployments/${id}`)
    const failed = step('Message to #deployments: not sent')
    await failed.getByText('The channel is archived.').waitFor()
    await failed.getByText('Unarchive it, or choose another one.').waitFor()
    await failed.getByRole('button', { name: 'Send again' }).waitFor()
    await message().getByText('Message Failed', { exact: true }).waitFor()
    await message().getByText('The channel is archived.').waitFor()
    expect(await look(seat, 'deployment-message-failed')).toEqual([])
    await failed.getByRole('link', { name: 'Choose the channel' }).click()
    await page.waitForURL('**/acme/integrations/chat')
    await page.getByRole('button', { name: 'Choose a channel' }).click()
    await page.getByRole('combobox', { name: 'Channel' }).fill('general')
    await page.getByRole('option', { name: /general/ }).click()
    await page.getByText('#general').first().waitFor()
    await page.goBack()
    // Messages that waited for a channel, or failed in the former one, are sent by themselves.
    await message().getByText('Message Sent', { exact: true }).waitFor()
    await message().getByText('#general').waitFor()
  })

  it('that may have arrived is sent, or left, as a person says who has looked', async () => {
    const { asOwner } = dashboard.service
    const id = await pipeline.deploy({ message: 'Told of, perhaps' })
    await seat.go(`/deployments/${id}`)
    await message().getByText('Message Sent', { exact: true }).waitFor()
    const forget = async () => {
      await asOwner(
        `update notifications set state = 'broken', reason = 'outcome_unknown', ambiguous = true,
          message_id = null, sent_rev = 0, first_tried_at = now() - interval '1 hour'
          where subject_id = $1 and subject_kind = 'deployment'`,
        [id],
      )
      await seat.go(`/deployments/${id}`)
      await message().getByText('Message Failed', { exact: true }).waitFor()
    }
    await forget()
    const waiting = step('Message to #general: outcome unknown')
    await waiting.getByText(/Check the channel, and say .* with more access/).waitFor()
    expect(await waiting.getByRole('button', { name: 'Send again' }).count()).toBe(0)
    expect(await look(seat, 'deployment-message-unknown')).toEqual([])
    await waiting.getByRole('button', { name: 'Send it, it is not there' }).click()
    await message().getByText('Message Sent', { exact: true }).waitFor()
    await forget()
    await waiting.getByRole('button', { name: 'It is there' }).click()
    await step('Message to #general: sent').getByText('Somebody saw the message').waitFor()
  })
})
