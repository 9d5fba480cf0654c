import {
  findPermission,
  listVerbs,
  verbs,
  wildcardId,
  type Permission,
  type Reach,
  type Verb,
} from '@signalbox/contract'
import type { grantEndpoints, ResponseOf } from '@signalbox/contract/rest'
import { permissionsOfKey } from '../../../http/admission/permissions.ts'
import { accessOf, type ApiKey } from '../../api-keys/api-key.ts'
import type { Member } from '../member.ts'
import type { Grant } from './grant.ts'

type Access = ResponseOf<typeof grantEndpoints.getMemberAccess>

interface Explained extends Permission {
  readonly by: Access['permissions'][number]['by']
}

interface DescribedMember extends Pick<Member, 'role'> {
  readonly groups: Access['groups']
  readonly grants: readonly Grant[]
}

/** Describes what a member may do: by the role that they have everywhere, and by each grant. */
export function describeMember({ role, groups, grants }: DescribedMember, reach: Reach): Access {
  const own: Explained = {
    verbs: listVerbs(role),
    environmentIds: null,
    schemaIds: null,
    by: { kind: 'role', role, grantId: null, group: null },
  }
  return { groups, ...describe([own, ...grants.map(explainGrant)], reach) }
}

/** Describes what an API key may do: by its kind and access, and by each grant, within its environments and schemas. */
export function describeKey(key: ApiKey, grants: readonly Grant[], reach: Reach): Access {
  const own = { kind: 'key', role: null, grantId: null, group: null } as const
  const sources = [own, ...grants.map((grant) => explainGrant(grant).by)]
  const permissions = permissionsOfKey({ ...key, access: accessOf(key) }, grants)
  const explained = permissions.map((each, index) => ({ ...each, by: sources[index] ?? own }))
  return { groups: [], ...describe(explained, reach) }
}

function explainGrant({ id, subject, role, environmentIds, schemaIds }: Grant): Explained {
  const group = subject.type === 'group' ? { id: subject.id, name: subject.name } : null
  return {
    verbs: listVerbs(role),
    environmentIds,
    schemaIds,
    by: { kind: 'grant', role, grantId: id, group },
  }
}

/** Lists what an act is about where that is not both: a schema is the same in each environment, and so the other way round. */
const about: Partial<Readonly<Record<Verb, readonly (keyof Reach)[]>>> = {
  writeSchemas: ['schemaId'],
  manageEnvironments: ['environmentId'],
  deleteConfig: ['schemaId'],
  manageAccess: [],
}

/** Returns what somebody needs the right for to do `verb` there. What is left out is asked for as a whole. */
function widen(verb: Verb, { environmentId = wildcardId, schemaId = wildcardId }: Reach): Reach {
  const parts = about[verb] ?? ['environmentId', 'schemaId']
  return {
    environmentId: parts.includes('environmentId') ? environmentId : wildcardId,
    schemaId: parts.includes('schemaId') ? schemaId : wildcardId,
  }
}

function describe(permissions: readonly Explained[], reach: Reach): Omit<Access, 'groups'> {
  return {
    permissions: permissions.map(({ verbs: allowed, environmentIds, schemaIds, by }) => ({
      by,
      verbs: [...allowed],
      environmentIds: environmentIds && [...environmentIds],
      schemaIds: schemaIds && [...schemaIds],
    })),
    decisions: verbs.map((verb) => {
      const deciding = findPermission(permissions, verb, widen(verb, reach))
      return { verb, allowed: deciding !== undefined, by: deciding?.by ?? null }
    }),
  }
}
