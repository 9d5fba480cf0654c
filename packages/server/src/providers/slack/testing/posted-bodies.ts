import { createSlackApi } from '../api.ts'
import type { ChatMessage } from '../../chat/chat-message.ts'

const now = new Date('2026-11-22T10:00:00Z')

/** Returns the bodies of the two requests that post a message and change one to it, as they leave this process. */
export async function bodiesOf(message: ChatMessage): Promise<readonly [string, string]> {
  const bodies: string[] = []
  const request = (
    _url: string,
    { body = '' }: { readonly body?: string | Buffer | undefined } = {},
  ) => {
    bodies.push(body.toString())
    const answer = { ok: true, channel: 'C1', ts: '1.000001' }
    return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) })
  }
  const chat = createSlackApi({
    call: { provider: 'slack', egress: { request }, now: () => now },
    apiUrl: 'https://slack.example/api',
    withAccessToken: (send) => send('xoxb-1'),
    scopes: [],
  })
  const reference = await chat.post(message, { channelId: 'C1', key: 'k' })
  await chat.update(reference, message)
  const [post = '', update = ''] = bodies
  return [post, update]
}
