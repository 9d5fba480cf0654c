import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { look } from '../look.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'
import { openPipeline, type Pipeline } from '../deployments/play-deployments.ts'

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
    const waiting = step('Message to #deployments: outcome unknown')
    await waiting.getByText(/Check the channel, and say .* with more access/).waitFor()
    expect(await waiting.getByRole('button', { name: 'Send again' }).count()).toBe(0)
    expect(await look(seat, 'deployment-message-unknown')).toEqual([])
    await waiting.getByRole('button', { name: 'Send it, it is not there' }).click()
    await message().getByText('Message Sent', { exact: true }).waitFor()
    await forget()
    await waiting.getByRole('button', { name: 'It is there' }).click()
    await step('Message to #deployments: sent').getByText('Somebody saw the message').waitFor()
  })
})
