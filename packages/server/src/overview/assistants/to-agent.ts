import { Problem } from '@signalbox/contract'
import type { Actor, AgentActor, ApiKeyActor } from '../../http/admission/actor.ts'
import { unnamedClient } from '../../identity/members/agent-tokens/agent-tokens.ts'
import { requirePerson } from '../../identity/personal-tokens/require-person.ts'

/** Finds the organization of a person: the one of this name, or the only one; throws {Problem} where it is not clear. */
export type FindOrganizationOf = (userId: string, ref: string | undefined) => Promise<string>

/**
 * Returns the assistant that a request comes from. A personal access token acts as one that only reads: whatever brings a
 * call to the tools, they never run as a person.
 *
 * @throws {Problem} `missing_credentials` for a browser, `role_forbidden` for the bootstrap token, `validation_failed`
 */
export async function toAgent(
  actor: Exclude<Actor, ApiKeyActor>,
  ref: string | undefined,
  findOrganizationOf: FindOrganizationOf,
): Promise<AgentActor> {
  if (actor.type === 'agent') return actor
  const { userId, name, via, credentialId, lifeMs = Infinity } = requirePerson(actor)
  if (via === 'session') {
    const detail = 'Send an agent token as "Authorization: Bearer sbx_agt_…".'
    throw new Problem('missing_credentials', detail)
  }
  const orgId = await findOrganizationOf(userId, ref)
  const token = { client: unnamedClient, credentialId, lifeMs }
  return { type: 'agent', orgId, userId, name, scope: 'read', ...token }
}
