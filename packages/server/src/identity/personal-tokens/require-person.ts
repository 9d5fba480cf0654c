import { Problem } from '@signalbox/contract'
import type { UserActor } from '../../http/admission/actor.ts'
import type { Caller } from '../caller.ts'

/**
 * Returns the person behind a request.
 *
 * @throws {Problem} `role_forbidden` for the bootstrap token, which belongs to no person.
 */
export function requirePerson(actor: Caller['actor']): UserActor {
  if (actor.type === 'user') return actor
  const detail =
    'The bootstrap token belongs to no person. Sign in, or use a personal access token.'
  throw new Problem('role_forbidden', detail)
}
