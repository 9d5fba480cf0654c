import { Problem } from '@signalbox/contract'
import { describeUnknown, nameIds, requireKnownIds } from '../../../http/input/known-ids.ts'
import type { Tx } from '../../../store/store.ts'
import type { ApiKey } from '../../api-keys/api-key.ts'
import { findApiKey, lockApiKey } from '../../api-keys/rows.ts'
import { findGroup } from '../groups/rows.ts'
import { findMember } from '../rows.ts'
import type { Grant, Within } from './grant.ts'

/** Names the subject of a grant: one of the three. */
export interface NamedSubject {
  readonly userId?: string | undefined
  readonly groupId?: string | undefined
  readonly keyId?: string | undefined
}

/** Maps each field to what finds its subject, or says why there is none. */
const finders: Readonly<
  Record<
    keyof NamedSubject,
    (tx: Tx, orgId: string, id: string) => Promise<Grant['subject'] | string>
  >
> = {
  async userId(tx, orgId, id) {
    const member = await findMember(tx, orgId, id)
    return member === undefined
      ? describeUnknown('member')
      : { type: 'member', id, name: member.name }
  },
  async groupId(tx, orgId, id) {
    const group = await findGroup(tx, orgId, id)
    return group === undefined ? describeUnknown('group') : { type: 'group', id, name: group.name }
  },
  async keyId(tx, orgId, id) {
    // Held, so that it is not revoked while it gets a grant.
    await lockApiKey(tx, orgId, id)
    const key = await findApiKey(tx, orgId, id)
    return refuseKey(key) ?? { type: 'api_key', id, name: key?.name ?? '' }
  },
}

/**
 * Finds the member, the group or the server key that a request names.
 *
 * @throws {Problem} `validation_failed` for none, for several, or for one that can have no grant
 */
export async function findSubject(
  tx: Tx,
  orgId: string,
  { userId, groupId, keyId }: NamedSubject,
): Promise<Grant['subject']> {
  const named = [
    { field: 'userId', id: userId },
    { field: 'groupId', id: groupId },
    { field: 'keyId', id: keyId },
  ] as const
  const [only, other] = named.filter(({ id }) => id !== undefined)
  if (only?.id === undefined || other !== undefined)
    throw refuse(other?.field ?? 'userId', 'Name one of "userId", "groupId" and "keyId".')
  const subject = await finders[only.field](tx, orgId, only.id)
  if (typeof subject === 'string') throw refuse(only.field, subject)
  return subject
}

function refuse(field: keyof NamedSubject, detail: string): Problem {
  const errors = [{ pointer: `/${field}`, code: 'validation_failed' as const, detail }]
  return new Problem('validation_failed', `/${field}: ${detail}`, { errors })
}

/** Returns why a key can have no grant. `undefined`: it can. */
function refuseKey(key: ApiKey | undefined): string | undefined {
  if (key === undefined) return describeUnknown('API key')
  if (key.kind === 'b2m')
    return 'A browser key is public, so it reads public values and flags only. Name a server key (m2m).'
  if (key.kind === 'rly') return 'A relay key only feeds a relay. Name a server key (m2m).'
  return key.revokedAt === null ? undefined : 'This key is revoked. Name another one.'
}

/**
 * Refuses environments and schemas that the key of a grant is not made for: there, the grant would allow nothing.
 *
 * @throws {Problem} `validation_failed`
 */
export async function requireReachOfKey(
  tx: Tx,
  orgId: string,
  { type, id }: Grant['subject'],
  { environmentIds, schemaIds }: Within,
): Promise<void> {
  const key = type === 'api_key' ? await findApiKey(tx, orgId, id) : undefined
  if (key === undefined) return
  requireKnownIds(
    {
      named: nameIds(['environmentIds'], environmentIds),
      known: new Set(key.environmentIds ?? environmentIds),
      detail: describeOther('environments'),
    },
    {
      named: nameIds(['schemaIds'], schemaIds),
      known: new Set(key.schemaIds ?? schemaIds),
      detail: describeOther('schemas'),
    },
  )
}

function describeOther(what: string): string {
  return `The key is made for other ${what}, and a grant does not widen that. Add this one to the key first, under API keys.`
}
