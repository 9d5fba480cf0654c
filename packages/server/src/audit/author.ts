import type { Actor } from '../http/admission/actor.ts'
import type { Author, AuditRequest, Credential, Maker } from './audit-event.ts'

/** Returns the author that is kept with what `actor` made. */
export function toAuthor(actor: Actor): Author {
  if (actor.type === 'user') return { type: 'user', id: actor.userId, name: actor.name }
  if (actor.type === 'agent') {
    return { type: 'user', id: actor.userId, name: `${actor.name}, through ${actor.client}` }
  }
  if (actor.type === 'api_key') return { type: 'api_key', id: actor.keyId, name: actor.name }
  return { type: 'bootstrap', id: null, name: 'Bootstrap token' }
}

/** Returns what `actor` is authenticated with; `undefined` for an API key, which is the author itself. */
export function toCredential(actor: Actor): Credential | undefined {
  switch (actor.type) {
    case 'api_key':
      return undefined
    case 'bootstrap':
      return { type: 'bootstrap', id: null, name: null }
    case 'agent':
      return { type: 'agent_token', id: actor.credentialId, name: actor.client }
    case 'user': {
      const { credentialId: id, credentialName: name = null, via } = actor
      return { type: via === 'session' ? 'session' : 'personal_access_token', id, name }
    }
  }
}

/** Returns the maker that is stored with what goes on when their credential has ended. */
export function makerOf({
  author,
  request: { credential },
}: {
  readonly author: Author
  readonly request: Pick<AuditRequest, 'credential'>
}): Maker {
  return { ...author, ...(credential !== undefined && { credential }) }
}

/** Presents who made something without what they made it with; `null`: it is not known. */
export function presentAuthor(maker: Maker): Author
export function presentAuthor(maker: Maker | null): Author | null
export function presentAuthor(maker: Maker | null): Author | null {
  return maker === null ? null : { type: maker.type, id: maker.id, name: maker.name }
}

/** Presents what something was made with; `null`: it is not known. */
export function presentCredential(maker: Maker | null): Credential | null {
  return maker?.credential ?? null
}
