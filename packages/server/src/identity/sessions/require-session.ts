import { Problem } from '@signalbox/contract'
import type { UserActor } from '../../http/admission/actor.ts'
import type { Caller } from '../caller.ts'
import { requirePerson } from '../personal-tokens/require-person.ts'

/**
 * Returns the person who is signed in with a browser. A token cannot change passwords or second factors: somebody who
 * finds a token must not lock its owner out.
 *
 * @throws {Problem} `session_required` for a personal access token, `role_forbidden` for the bootstrap token.
 */
export function requireSession(actor: Caller['actor']): UserActor {
  const person = requirePerson(actor)
  if (person.via === 'session') return person
  const detail = 'A personal access token may not do this. Sign in with a browser and do it there.'
  throw new Problem('session_required', detail)
}
