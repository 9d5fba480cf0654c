import { Problem } from '@signalbox/contract'
import type { People } from '../../identity/open-people.ts'
import { listMemberships } from '../../identity/organizations/rows.ts'
import type { Feature, Kit } from '../../kit.ts'
import { mountAssistants } from './routes.ts'
import type { FindOrganizationOf } from './to-agent.ts'

/** Opens the tools of assistants. */
export function openAssistants(
  { store, publicUrl, log }: Pick<Kit, 'store' | 'publicUrl' | 'log'>,
  { resolveOrganization, uses }: Pick<People, 'resolveOrganization' | 'uses'>,
): Feature {
  const findOrganizationOf = createFindOrganization({ store })
  return {
    mount: (router) =>
      mountAssistants(router, { publicUrl, resolveOrganization, findOrganizationOf, uses, log }),
  }
}

const namedMost = 20

function createFindOrganization({ store }: Pick<Kit, 'store'>): FindOrganizationOf {
  return async (userId, ref) => {
    const page = { afterId: undefined, limit: 1_000 }
    const all = await store.transaction({ orgId: null, userId }, (tx) =>
      listMemberships(tx, userId, page),
    )
    const [only] = all
    const organization =
      ref === undefined && all.length === 1
        ? only
        : all.find(({ id, slug }) => id === ref || slug === ref)
    if (organization !== undefined) return organization.id
    const slugs = all.map(({ slug }) => slug).slice(0, namedMost)
    throw new Problem(
      'validation_failed',
      `Name your organization: /mcp?organization=… with one of ${slugs.join(', ')}.`,
    )
  }
}
