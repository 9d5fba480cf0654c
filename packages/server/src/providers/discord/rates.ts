import type { ChatCall, RateBudget } from '../chat/chat.ts'

/**
 * Limits how fast we send, below what Discord has been seen to take: five calls in five seconds on a route of a channel, and fifty
 * a second for the bot. The limits that Discord names in its answers count besides, see `pauses.ts`.
 *
 * @see https://docs.discord.com/developers/topics/rate-limits
 */
const rates = {
  channel: { intervalMs: 1_100, burst: 4 },
  bot: { intervalMs: 50, burst: 20 },
} as const

/** Returns the budgets that a call to Discord counts against. */
export function budgetsOf({ type, channelId }: ChatCall): readonly RateBudget[] {
  return [
    { resource: `${type}:${channelId}`, ...rates.channel },
    { resource: 'bot', ...rates.bot },
  ]
}
