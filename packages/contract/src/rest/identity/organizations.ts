import { z } from 'zod/v4'
import { admin, org, owner, person, viewerOrKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { givenDisplayName, page, pageQuery, slug } from '../shapes.ts'
import { organization } from './shapes.ts'

export const organizationEndpoints = {
  createOrganization: endpoint({
    operationId: 'createOrganization',
    method: 'POST',
    path: '/organizations',
    tag: 'Organizations',
    summary: 'Create an organization; the caller becomes its owner.',
    access: person,
    body: z.strictObject({ name: givenDisplayName, slug: slug.optional() }),
    response: { status: 201, body: organization },
    topics: ['organization', 'member'],
    problems: ['already_exists', 'quota_exceeded'],
  }),
  listOrganizations: endpoint({
    operationId: 'listOrganizations',
    method: 'GET',
    path: '/organizations',
    tag: 'Organizations',
    summary: 'The organizations in reach of the credentials.',
    access: { kind: 'identified' },
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(organization) },
    topics: ['organization', 'member'],
    problems: ['invalid_cursor'],
  }),
  getOrganization: endpoint({
    operationId: 'getOrganization',
    method: 'GET',
    path: org,
    tag: 'Organizations',
    summary: 'One organization.',
    access: viewerOrKey,
    response: { status: 200, body: organization },
    topics: ['organization'],
    problems: [],
  }),
  updateOrganization: endpoint({
    operationId: 'updateOrganization',
    method: 'PATCH',
    path: org,
    tag: 'Organizations',
    summary: 'Rename an organization.',
    access: admin,
    body: z.strictObject({ name: givenDisplayName.optional(), slug: slug.optional() }),
    response: { status: 200, body: organization },
    topics: ['organization'],
    problems: ['already_exists'],
  }),
  deleteOrganization: endpoint({
    operationId: 'deleteOrganization',
    method: 'DELETE',
    path: org,
    tag: 'Organizations',
    summary:
      'Delete an organization. Access ends immediately; the server destroys the data seven days later.',
    access: owner,
    stepUp: true,
    response: { status: 204 },
    topics: ['organization'],
    problems: [],
  }),
} as const
