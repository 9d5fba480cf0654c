import { Problem } from '@signalbox/contract'
import type { Actor } from './actor.ts'

/** How long a password that was typed counts for what asks for it again. */
const recentPasswordMs = 10 * 60 * 1000

/**
 * Asks a person in a browser for the password again when it was typed too long ago: whoever finds the browser open has the
 * session and not the password. Tokens were made for programs, which cannot be asked.
 *
 * @throws {Problem} `step_up_required`
 */
export function requireRecentPassword(actor: Actor, now: Date): void {
  if (actor.type !== 'user' || actor.via !== 'session') return
  const { authenticatedAt } = actor
  const isRecent =
    authenticatedAt !== undefined && now.getTime() - authenticatedAt.getTime() <= recentPasswordMs
  if (isRecent) return
  const detail = 'Confirm your password: it was typed more than ten minutes ago.'
  throw new Problem('step_up_required', detail)
}
