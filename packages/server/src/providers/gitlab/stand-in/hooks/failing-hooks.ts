import type { GitlabHook, GitlabState } from '../state.ts'

const failuresUntilOff = 4
const failuresUntilDisabled = 40
const shortestMs = 60_000
const longestMs = 24 * 60 * 60 * 1000

/** Returns whether a hook gets events now. A hook that is off gets none, and none is logged. */
export function isExecutable(state: GitlabState, hook: GitlabHook): boolean {
  return statusOf(state, hook) === 'executable'
}

/** Returns what the API shows as `alert_status`. */
export function statusOf(
  { clock, settings }: GitlabState,
  { isDisabled, disabledUntil }: GitlabHook,
): 'executable' | 'temporarily_disabled' | 'disabled' {
  if (!settings.disablesFailingHooks) return 'executable'
  if (isDisabled) return 'disabled'
  const isOff = disabledUntil !== undefined && clock.now() < disabledUntil
  return isOff ? 'temporarily_disabled' : 'executable'
}

/** Notes a success: the hook is on, and its failures are forgotten. */
export function countSuccess(hook: GitlabHook): void {
  Object.assign(hook, {
    recentFailures: 0,
    disabledUntil: undefined,
    isDisabled: false,
  })
}

/**
 * Notes a failure: any status but 200 to 299, and none. The fourth in a row switches the hook off for a minute, each
 * one after it for twice as long until it is a day, and the fortieth for good.
 *
 * @see https://docs.gitlab.com/user/project/integrations/webhooks/#auto-disabled-webhooks
 */
export function countFailure({ clock }: GitlabState, hook: GitlabHook): void {
  hook.recentFailures += 1
  hook.isDisabled = hook.recentFailures >= failuresUntilDisabled
  if (hook.recentFailures < failuresUntilOff) return
  const backoffs = hook.recentFailures - failuresUntilOff
  const ms = Math.min(longestMs, shortestMs * 2 ** backoffs)
  hook.disabledUntil = new Date(clock.now().getTime() + ms)
}
