import type { ChatCall, RateBudget } from '../chat/chat.ts'

/**
 * Limits how fast we send, below what Slack takes: one message a second in a channel, and a tenth more for calls that overtake
 * each other on their way; "several hundred" messages a minute in a workspace: 210; fifty updates and fifty looks a minute (tier 3): 48. An
 * app that is sold outside of the Marketplace may look once a minute, which the answer says.
 *
 * @see https://docs.slack.dev/apis/web-api/rate-limits
 */
const rates = {
  channel: { intervalMs: 1_100, burst: 1 },
  posts: { intervalMs: 300, burst: 10 },
  updates: { intervalMs: 1_500, burst: 8 },
  searches: { intervalMs: 1_500, burst: 4 },
} as const

/** Returns the budgets that a call to Slack counts against. */
export function budgetsOf({ type, channelId }: ChatCall): readonly RateBudget[] {
  switch (type) {
    case 'update':
      return [{ resource: 'updates', ...rates.updates }]
    case 'find':
      return [{ resource: 'searches', ...rates.searches }]
    case 'post':
      return [
        { resource: `channel:${channelId}`, ...rates.channel },
        { resource: 'posts', ...rates.posts },
      ]
  }
}
