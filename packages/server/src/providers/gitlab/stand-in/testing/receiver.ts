import {
  receiveWebhooks,
  type Received,
} from '../../../../../../sandbox/src/testing/receive-webhooks.ts'

/** Starts a receiver that reads the body of each webhook. */
export const startReceiver = () =>
  receiveWebhooks(({ headers, raw }: Received) => {
    const body: Readonly<Record<string, unknown>> = JSON.parse(raw)
    return { headers, raw, body }
  })
