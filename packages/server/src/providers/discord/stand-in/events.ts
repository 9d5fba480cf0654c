import { sign } from 'node:crypto'
import type { DiscordState } from './state.ts'

/** Describes the sender of webhook events. */
export interface DiscordEvents {
  /** Sets the address of events, as the settings of an application do. Throws when it fails one of Discord's checks, as Discord refuses it. */
  setUrl(url: string | undefined): Promise<void>
  /** Sends an event, and returns the status of the answer. */
  send(type: string, data?: Readonly<Record<string, unknown>>): Promise<number>
  /** Sends a PING with a wrong signature on purpose. An answer other than 401 loses the address. */
  probe(): Promise<number>
}

/** Creates the sender of webhook events (docs.discord.com, webhook events). */
export function createDiscordEvents({ app, clock }: DiscordState): DiscordEvents {
  const post = async (url: string, payload: object, isGenuine = true): Promise<number> => {
    const body = JSON.stringify(payload)
    const timestamp = String(Math.floor(clock.now().getTime() / 1000))
    const signed = sign(
      null,
      Buffer.from(timestamp + (isGenuine ? body : `${body} `)),
      app.privateKey,
    )
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Discord-Webhook/1.0 (+https://discord.com)',
        'x-signature-ed25519': signed.toString('hex'),
        'x-signature-timestamp': timestamp,
      },
      body,
    })
    const text = await answer.text()
    return answer.status === 204 && text !== '' ? 500 : answer.status
  }
  const ping = { version: 1, application_id: app.id, type: 0 }
  const requireUrl = () => {
    if (app.eventsUrl === undefined) throw new Error('No address of events is set')
    return app.eventsUrl
  }
  const probe = async () => {
    const status = await post(requireUrl(), ping, false)
    if (status !== 401) app.eventsUrl = undefined
    return status
  }
  return {
    async setUrl(url) {
      app.eventsUrl = url
      if (url === undefined) return
      if (!['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)) {
        app.eventsUrl = undefined
        throw new Error('The sandbox sends to this machine only')
      }
      const [genuine, forged] = [await post(url, ping), await probe()]
      if (genuine === 204 && forged === 401) return
      app.eventsUrl = undefined
      throw new Error(
        `The address answered PING with ${genuine}, and a wrong signature with ${forged}`,
      )
    },
    send: (type, data = {}) =>
      post(requireUrl(), {
        version: 1,
        application_id: app.id,
        type: 1,
        event: { type, timestamp: clock.now().toISOString(), data },
      }),
    probe,
  }
}
