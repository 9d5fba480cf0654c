import { notFound, type PretendAnswer } from '../pretend-server.ts'

/** Holds a message as people read it. */
export interface PretendMessage {
  readonly id: string
  readonly channelId: string
  readonly key: string
  /** An edit has to name it, besides the id. */
  readonly stamp: string
  text: string
  edits: number
}

/** Holds the parts of a request's body, by name. */
export type PretendBody = Readonly<Record<string, string>>

/** Describes a workspace of the pretended chat, in memory. */
export interface PretendWorkspace {
  readonly channels: readonly { readonly id: string; readonly name: string; open: boolean }[]
  readonly messages: readonly PretendMessage[]
  /** Answers a call of its API. Example of a path: `['channels', 'general', 'messages']`. */
  readonly answer: (method: string, path: readonly string[], body: PretendBody) => PretendAnswer
}

/** Creates a workspace with two channels. */
export function createPretendWorkspace(): PretendWorkspace {
  const channels = ['general', 'releases'].map((name) => ({ id: name, name, open: true }))
  const messages: PretendMessage[] = []
  const post = (channelId: string, { key = '', text = '' }: PretendBody): PretendAnswer => {
    const channel = channels.find(({ id }) => id === channelId)
    if (channel === undefined) return notFound
    if (!channel.open) return { status: 409, json: { error: 'channel_closed' } }
    const known = messages.find((message) => message.key === key)
    if (known !== undefined) return { status: 200, json: known }
    const number = messages.length + 1
    const posted = { id: `m${number}`, stamp: `s${number}`, channelId, key, text, edits: 0 }
    messages.push(posted)
    return { status: 200, json: posted }
  }
  const edit = (messageId: string, { text = '', stamp = '' }: PretendBody): PretendAnswer => {
    const message = messages.find(({ id }) => id === messageId)
    if (message?.stamp !== stamp) return notFound
    message.text = text
    message.edits += 1
    return { status: 200, json: message }
  }
  return {
    channels,
    messages,
    answer(method, [noun, id = '', part], body) {
      if (noun === 'messages' && method === 'PUT') return edit(id, body)
      if (noun !== 'channels') return notFound
      if (part === 'messages' && method === 'POST') return post(id, body)
      if (id === '') return { status: 200, json: { channels } }
      const channel = channels.find((one) => one.id === id)
      return channel === undefined ? notFound : { status: 200, json: channel }
    },
  }
}
