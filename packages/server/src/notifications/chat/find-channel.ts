import type { Caller } from '../../audit/caller.ts'
import { Problem } from '@signalbox/contract'
import type { ChatConnection } from '../../integrations/grants/chat-access.ts'
import type { ChatChannel } from '../../providers/chat/chat.ts'
import type { ChatErrorExplanation } from '../../providers/chat/chat-dialect.ts'
import { explainChatError, getChatDialect } from '../../providers/chat/chat-dialects.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { NotificationDeps } from '../notification-deps.ts'

/**
 * Finds the workspace of the caller's organization.
 *
 * @throws {Problem} `integration_not_connected`, `reauth_required`
 */
export async function requireConnection(
  { store, chat }: Pick<NotificationDeps, 'store' | 'chat'>,
  { orgId }: Caller,
): Promise<ChatConnection> {
  const connection = await store.transaction({ orgId }, (tx) => chat.findConnection(tx, orgId))
  if (connection === undefined) {
    throw new Problem('integration_not_connected', 'Connect a chat workspace first.')
  }
  if (connection.state === 'reauth_required') {
    throw new Problem('reauth_required', 'Connect the chat workspace again.')
  }
  return connection
}

/** Names a channel in a request. */
export interface NamedChannel {
  readonly id: string
  /** Where in the body. Example: `/channelId` */
  readonly pointer: string
}

/** Describes a channel that a person has chosen. */
export interface ChosenChannel extends ChatChannel {
  /** The code that a message would be refused with until somebody changes that in the chat; `null`: it would arrive. */
  readonly refusedWith: string | null
}

/**
 * Finds a channel that messages can be sent to, and asks whether one would arrive now. A channel that is gone, hidden or archived is a
 * mistake of the person who chose it.
 *
 * @throws {Problem} `integration_not_connected`, `reauth_required`, `provider_error`, or `validation_failed` with
 * `channel_unreachable` at the pointer that names it
 */
export async function requireChannel(
  deps: Pick<NotificationDeps, 'store' | 'chat'>,
  caller: Caller,
  { id, pointer }: NamedChannel,
): Promise<ChosenChannel> {
  const { provider } = await requireConnection(deps, caller)
  try {
    return await findChannel(deps, caller, { id, provider })
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'channel_unreachable') throw error
    const { code, message: detail } = error
    throw new Problem('validation_failed', `${pointer}: ${detail}`, {
      errors: [{ pointer, code, detail }],
      cause: error,
    })
  }
}

async function findChannel(
  deps: Pick<NotificationDeps, 'chat'>,
  caller: Caller,
  { id: channelId, provider }: { readonly id: string; readonly provider: string },
): Promise<ChosenChannel> {
  const chat = await withProblems(() => deps.chat.open(caller.orgId))
  const channel = await withProblems(() => chat.findChannel(channelId))
  if (channel === undefined) {
    throw new Problem('channel_unreachable', getChatDialect(provider).unknownChannel)
  }
  if (channel.isArchived) {
    throw new Problem('channel_unreachable', 'The channel is archived. Choose another one.')
  }
  const { refusedWith } = await withProblems(() => chat.checkChannel(channelId))
  return { ...channel, refusedWith }
}

/** Calls a provider on behalf of a person. A failure says what went wrong and what to do. @throws {Problem} */
export async function withProblems<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof ProviderError) throw toProblem(explainChatError(error), error)
    throw error
  }
}

function toProblem({ reaction, detail, nextStep }: ChatErrorExplanation, cause: unknown): Problem {
  const text = `${detail} ${nextStep}`
  switch (reaction) {
    case 'reconnect':
      return new Problem('reauth_required', text, { cause })
    case 'broken':
    case 'join':
      return new Problem('channel_unreachable', text, { cause })
    case 'retry':
    case 'unclear':
    case 'wait':
    case 'shrink':
    case 'deleted':
    case 'frozen':
      return new Problem('provider_error', `${detail} Try again later.`, { cause })
  }
}
