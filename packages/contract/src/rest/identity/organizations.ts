import { z } from 'zod/v4'
import { admin, org, owner, person, viewerOrKey } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { givenDisplayName, page, pageQuery, slug } from '../shapes.ts'
import { organization } from './shapes.ts'

export const organizationEndpoints = declareEndpoints({
  tag: 'Organizations',
  topics: ['organization'],
})({
  createOrganization: {
    method: 'POST',
    path: '/organizations',
    summary: 'Create an organization; the caller becomes its owner.',
    access: person,
    body: z.strictObject({ name: givenDisplayName, slug: slug.optional() }),
    response: { status: 201, body: organization },
    topics: ['organization', 'member'],
    problems: ['already_exists', 'quota_exceeded', 'role_forbidden'],
  },
  listOrganizations: {
    method: 'GET',
    path: '/organizations',
    summary: 'The organizations in reach of the credentials.',
    access: { kind: 'identified' },
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(organization) },
    topics: ['organization', 'member'],
    problems: ['invalid_cursor'],
  },
  getOrganization: {
    method: 'GET',
    path: org,
    summary: 'One organization.',
    access: viewerOrKey,
    response: { status: 200, body: organization },
  },
  updateOrganization: {
    method: 'PATCH',
    path: org,
    summary: 'Rename an organization.',
    access: admin,
    body: z.strictObject({ name: givenDisplayName.optional(), slug: slug.optional() }),
    response: { status: 200, body: organization },
    problems: ['already_exists'],
  },
  deleteOrganization: {
    method: 'DELETE',
    path: org,
    summary:
      'Delete an organization. Access ends immediately; the server destroys the data seven days later.',
    access: owner,
    stepUp: true,
    response: { status: 204 },
  },
})
