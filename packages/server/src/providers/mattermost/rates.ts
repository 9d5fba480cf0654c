import type { ChatCall, RateBudget } from '../chat/chat.ts'

/**
 * Limits how fast we send. Mattermost limits nothing unless its operator switches a limit on, which by default is ten calls a second
 * for each address, and a hundred at once.
 *
 * @see https://docs.mattermost.com/administration-guide/configure/rate-limiting-configuration-settings.html
 */
const calls: RateBudget = { resource: 'calls', intervalMs: 200, burst: 20 }

/** Returns the budgets that a call to Mattermost counts against. */
export function budgetsOf({ channelId }: ChatCall): readonly RateBudget[] {
  return [{ resource: `channel:${channelId}`, intervalMs: 500, burst: 2 }, calls]
}
