import { z } from 'zod'
import { callProvider, readProviderJson, type ProviderCall } from '../../call-provider.ts'
import type { ChatChannel, ChatDirectory, ChatSender } from '../../chat/chat.ts'
import type { WithAccessToken } from '../../grant.ts'
import { ProviderError } from '../../provider-error.ts'
import { renderText } from './render-text.ts'

const channel = z
  .object({ id: z.string(), name: z.string(), open: z.boolean() })
  .transform(({ id, name, open }): ChatChannel => ({
    id,
    name,
    isPrivate: false,
    isMember: true,
    isArchived: !open,
  }))
const listed = z.object({ channels: z.array(channel) })
const posted = z.object({ id: z.string(), stamp: z.string() })

interface ExampleCall {
  /** `undefined`: the workspace has not told yet where it is called. */
  readonly base: string | undefined
  readonly call: ProviderCall
  readonly withAccessToken: WithAccessToken
}

interface ExampleRequest<T> {
  readonly method?: 'GET' | 'POST' | 'PUT'
  /** Example: `/channels`. */
  readonly path: string
  readonly json?: unknown
  readonly answer: z.ZodType<T>
}

/** Opens one workspace of Example Chat. It knows no threads, and a post that is repeated with its key is the first one. */
export function createExampleApi(options: ExampleCall): ChatSender & ChatDirectory {
  const ask = <T>(request: ExampleRequest<T>) => callExample(options, request)
  const findChannel = async (channelId: string) => {
    try {
      return await ask({ path: `/channels/${channelId}`, answer: channel })
    } catch (error) {
      if (error instanceof ProviderError && error.failure === 'notFound') return undefined
      throw error
    }
  }
  return {
    capabilities: { update: true, repeatMs: Infinity, threads: false },
    budgetsOf: () => [{ resource: 'calls', intervalMs: 10, burst: 100 }],
    async post(message, { channelId, key }) {
      const { id: messageId, stamp: tag } = await ask({
        method: 'POST',
        path: `/channels/${channelId}/messages`,
        json: { key, text: renderText(message) },
        answer: posted,
      })
      return { channelId, messageId, tag }
    },
    async update({ messageId, tag: stamp = '' }, message) {
      const json = { text: renderText(message), stamp }
      await ask({ method: 'PUT', path: `/messages/${messageId}`, json, answer: posted })
    },
    coverage: { isWhole: true, notes: [] },
    async listChannels() {
      const { channels } = await ask({ path: '/channels', answer: listed })
      return { channels, nextPage: undefined }
    },
    findChannel,
    async checkChannel(channelId) {
      const found = await findChannel(channelId)
      if (found === undefined) return { name: null, refusedWith: 'no_channel_here' }
      return { name: found.name, refusedWith: found.isArchived ? 'channel_closed' : null }
    },
    async checkAccess() {
      await ask({ path: '/channels', answer: listed })
    },
  }
}

const rejection = z.object({ error: z.string() })

function callExample<T>(
  { base, call, withAccessToken }: ExampleCall,
  { method = 'GET', path, json, answer }: ExampleRequest<T>,
): Promise<T> {
  return withAccessToken(async (accessToken) => {
    if (base === undefined) {
      throw new ProviderError({
        provider: call.provider,
        failure: 'unavailable',
        code: 'no_address',
      })
    }
    const given = await callProvider(call, {
      url: `${base}${path}`,
      method,
      headers: { authorization: `Bearer ${accessToken}` },
      ...(json !== undefined && { json }),
      accept: [409],
    })
    const value = readProviderJson(call.provider, given)
    if (given.status !== 409) return answer.parse(value)
    const { error: code } = rejection.parse(value)
    throw new ProviderError({ provider: call.provider, failure: 'rejected', code })
  })
}
