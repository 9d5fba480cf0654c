import type { Actor } from '../http/admission/actor.ts'
import type { Author } from './audit-event.ts'

/** Returns the author that is kept with what `actor` made. */
export function toAuthor(actor: Actor): Author {
  if (actor.type === 'user') return { type: 'user', id: actor.userId, name: actor.name }
  if (actor.type === 'agent') {
    return { type: 'user', id: actor.userId, name: `${actor.name}, through ${actor.client}` }
  }
  if (actor.type === 'api_key') return { type: 'api_key', id: actor.keyId, name: actor.name }
  return { type: 'bootstrap', id: null, name: 'Bootstrap token' }
}
