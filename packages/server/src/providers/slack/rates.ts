import type { ChatCall, RateBudget } from '../chat/chat.ts'

/**
 * Limits how fast we send, below what Slack takes: one message a second in a channel, and a tenth more for calls that overtake
 * each other on their way; "several hundred" messages a minute in a workspace: 210; fifty updates a minute (tier 3): 48.
 *
 * @see https://docs.slack.dev/apis/web-api/rate-limits
 */
const rates = {
  channel: { intervalMs: 1_100, burst: 1 },
  posts: { intervalMs: 300, burst: 10 },
  updates: { intervalMs: 1_500, burst: 8 },
} as const

/** Returns the budgets that a call to Slack counts against. */
export function budgetsOf({ type, channelId }: ChatCall): readonly RateBudget[] {
  return type === 'update'
    ? [{ resource: 'updates', ...rates.updates }]
    : [
        { resource: `channel:${channelId}`, ...rates.channel },
        { resource: 'posts', ...rates.posts },
      ]
}
