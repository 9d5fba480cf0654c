import { createHmac } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'
import { receiveWebhooks } from '../../../../../sandbox/src/testing/receive-webhooks.ts'

const sixHoursMs = 6 * 3_600_000
const sandbox = await openSandbox()

it.each([204, 500])(
  'comes again three times after %s, as it was the first time',
  async (answer) => {
    const receiver = await receiveWebhooks((webhook) => webhook)
    onTestFinished(() => receiver.close())
    const { received: came, url } = receiver
    receiver.status = answer
    sandbox.linear.app.webhookUrl = url
    const at = sandbox.clock.now().getTime()
    sandbox.linear.editIssue('ABC-2', { title: 'Show it' })
    await expect.poll(() => came.length).toBe(1)
    // The longest wait at each look: none of the retries is due later.
    const countLater = () => {
      sandbox.clock.advance(sixHoursMs)
      return came.length
    }
    await expect.poll(countLater).toBe(4)
    const [first] = came
    const { webhookTimestamp } = JSON.parse(first?.raw ?? '{}')
    expect(Math.abs(webhookTimestamp - at)).toBeLessThan(60_000)
    const { webhookSecret } = sandbox.linear.app
    const signature = createHmac('sha256', webhookSecret).update(first?.raw ?? '')
    expect(first?.headers).toMatchObject({
      'linear-signature': signature.digest('hex'),
      'linear-timestamp': String(webhookTimestamp),
    })
    for (const { headers, raw } of came) {
      expect(raw).toBe(first?.raw)
      expect(headers['linear-delivery']).toBe(first?.headers['linear-delivery'])
      expect(headers['linear-timestamp']).toBe(first?.headers['linear-timestamp'])
    }
  },
)
