import { organizationEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Router } from '../../http/router.ts'
import type { Store } from '../../store/store.ts'
import { toCaller } from '../caller.ts'
import { createOrganization, type CreateOrganizationDeps } from './create-organization.ts'
import { deleteOrganization } from './delete-organization.ts'
import { listOrganizations } from './list-organizations.ts'
import { presentOrganization } from './present-organization.ts'
import { findOrganization } from './rows.ts'
import { updateOrganization } from './update-organization.ts'

export interface OrganizationRoutesDeps extends CreateOrganizationDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
}

export function mountOrganizations(router: Router, deps: OrganizationRoutesDeps): void {
  const { store } = deps
  router
    .add(endpoints.createOrganization, {
      handle: (request) => createOrganization(deps, { ...request.body, caller: toCaller(request) }),
      present: (organization) => presentOrganization(organization),
    })
    .addPage(endpoints.listOrganizations, {
      position: z.string(),
      list: ({ actor }, { after, limit }) =>
        listOrganizations(deps, actor, { afterId: after, limit: limit + 1 }),
      positionOf: ({ id }) => id,
      present: (organization) => presentOrganization(organization),
    })
    .add(endpoints.getOrganization, {
      async handle({ organization, scope }) {
        const row = await store.transaction(scope, (tx) => findOrganization(tx, organization.id))
        if (row === undefined) throw notFound()
        return row
      },
      present: (organization) => presentOrganization(organization),
    })
    .add(endpoints.updateOrganization, {
      handle: (request) =>
        updateOrganization(deps, {
          ...request.body,
          orgId: request.organization.id,
          caller: toCaller(request),
        }),
      present: (organization) => presentOrganization(organization),
    })
    .add(endpoints.deleteOrganization, {
      handle: (request) =>
        deleteOrganization(deps, { orgId: request.organization.id, caller: toCaller(request) }),
    })
}
