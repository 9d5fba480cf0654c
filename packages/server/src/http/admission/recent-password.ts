import { Problem } from '@signalbox/contract'
import type { Actor } from './actor.ts'

/** Limits the age of a password that counts as recent. */
const recentPasswordMs = 10 * 60 * 1000

/**
 * Requires a person in a browser to have typed the password recently: a stranger at an open browser has the session,
 * but not the password. Tokens are for programs, which cannot type one.
 *
 * @throws {Problem} `step_up_required`
 */
export function requireRecentPassword(actor: Actor, now: Date): void {
  if (actor.type !== 'user' || actor.via !== 'session') return
  const { authenticatedAt } = actor
  const isRecent =
    authenticatedAt !== undefined && now.getTime() - authenticatedAt.getTime() <= recentPasswordMs
  if (isRecent) return
  const detail = 'Confirm your password. You entered it more than ten minutes ago.'
  throw new Problem('step_up_required', detail)
}
