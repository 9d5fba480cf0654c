import type { Caller } from '../../audit/caller.ts'
import { Problem } from '@signalbox/contract'
import type { ChatChannel, ChatDirectory } from '../../providers/chat/chat.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { requireConnection, withProblems } from './find-channel.ts'
import type { NotificationDeps } from '../notification-deps.ts'

/** Says where a page begins: at a page of the provider, after so many of its channels. */
export interface ChannelPosition {
  readonly page: string | null
  readonly skip: number
}

export interface ChannelPage {
  readonly items: readonly ChatChannel[]
  readonly next: ChannelPosition | undefined
  /** True when every channel that the app can see was read. */
  readonly complete: boolean
  /** Says why channels may be missing, and what to do about it. */
  readonly hint: string
}

export interface ListChannels {
  /** Part of a name, in any case. */
  readonly query: string | undefined
  readonly limit: number
  readonly from: ChannelPosition
}

/** Providers allow few of these calls in a minute. */
const callsMax = 4
const perCall = 500

/**
 * Lists the channels that messages can be sent to, and archived ones that the query names, so that a person sees why
 * they are missing. Asks the provider at most four times.
 *
 * @throws {Problem} `integration_not_connected`, `reauth_required`, `provider_error`, `invalid_cursor`
 */
export async function listChannels(
  deps: Pick<NotificationDeps, 'store' | 'chat'>,
  caller: Caller,
  list: ListChannels,
): Promise<ChannelPage> {
  const { orgId } = caller
  await requireConnection(deps, caller)
  return withProblems(async () => {
    const chat = await deps.chat.open(orgId)
    const { items, next } = await collectChannels(chat, list)
    const { isWhole, notes } = chat.coverage
    const more =
      next === undefined ? [] : ['The list is longer. Type part of a name, or load more.']
    return {
      items,
      next,
      complete: next === undefined && isWhole,
      hint: [...more, ...notes].join(' '),
    }
  })
}

async function collectChannels(
  chat: ChatDirectory,
  { query, limit, from }: ListChannels,
): Promise<Pick<ChannelPage, 'items' | 'next'>> {
  const matches = createFilter(query)
  const items: ChatChannel[] = []
  let { page, skip }: ChannelPosition = from
  for (let calls = 0; calls < callsMax; calls += 1) {
    const { channels, nextPage } = await fetchPage(chat, page)
    for (const [index, channel] of channels.entries()) {
      if (index < skip || !matches(channel)) continue
      if (items.length === limit) return { items, next: { page, skip: index } }
      items.push(channel)
    }
    if (nextPage === undefined) return { items, next: undefined }
    ;[page, skip] = [nextPage, 0]
  }
  return { items, next: { page, skip } }
}

/** A position that the provider does not know any more is one that the caller has to begin anew without. */
async function fetchPage(
  chat: ChatDirectory,
  page: string | null,
): ReturnType<ChatDirectory['listChannels']> {
  try {
    return await chat.listChannels({ page: page ?? undefined, limit: perCall })
  } catch (error) {
    const isOld = error instanceof ProviderError && error.code === 'invalid_cursor'
    if (!isOld || page === null) throw error
    throw new Problem('invalid_cursor', 'The list has changed. Start without a cursor.', {
      cause: error,
    })
  }
}

function createFilter(query: string | undefined): (channel: ChatChannel) => boolean {
  const part = (query ?? '').trim().replace(/^#/, '').toLowerCase()
  if (part === '') return ({ isArchived }) => !isArchived
  return ({ name }) => name.toLowerCase().includes(part)
}
