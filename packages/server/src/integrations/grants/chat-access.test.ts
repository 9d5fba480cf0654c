import { describe, expect, it } from 'vitest'
import { Problem } from '@signalbox/contract'
import type { ChatLookup } from '../../providers/chat/chat.ts'
import { createChatAccess } from './chat-access.ts'
import type { OpenChat } from './open-provider.ts'

type Chat = Awaited<ReturnType<OpenChat>>

/** Opens a chat that has these calls alone. The organization has nothing connected. */
function open(calls: Partial<Chat>) {
  return createChatAccess({
    // The guard reads only what is called here.
    openChat: () =>
      Promise.resolve({ capabilities: {}, coverage: {}, ...calls } as unknown as Chat),
    store: { transaction: () => Promise.resolve(undefined as never) },
  }).open('org_1')
}

const lookup = {} as ChatLookup

describe('a chat that background work has opened', () => {
  it('looks for a message where the chat can', async () => {
    const reference = { channelId: 'C1', messageId: 'M1' } as never
    const chat = await open({
      find: (of) => Promise.resolve(of === lookup ? reference : undefined),
    })
    expect(await chat.find?.(lookup)).toBe(reference)
  })

  it('has no search where the chat has none', async () => {
    expect(await open({})).not.toHaveProperty('find', expect.any(Function))
  })

  it('reports an access that ended during the search as a failure of the chat', async () => {
    const ended = new Problem('reauth_required', 'Connect again.')
    const chat = await open({ find: () => Promise.reject(ended) })
    await expect(chat.find?.(lookup)).rejects.toMatchObject({
      provider: 'chat',
      failure: 'unauthorized',
      code: 'reauth_required',
    })
  })
})
