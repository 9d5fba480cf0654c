import { z } from 'zod/v4'
import { configRemover, environmentManager, org, viewerOrKey } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { descriptionText, id, page, pageQuery, queryFlag, resourceName } from '../shapes.ts'
import { confirmationFields, protectionProblems } from './protection.ts'
import { environment, environmentProtection } from './shapes.ts'

export const environmentEndpoints = declareEndpoints({
  tag: 'Environments',
  topics: ['environment', 'schema', 'configuration', 'deployment', 'sync'],
})({
  createEnvironment: {
    method: 'POST',
    path: `${org}/environments`,
    summary: 'Create an environment.',
    access: environmentManager,
    body: z.strictObject({
      name: resourceName,
      description: descriptionText.optional(),
      production: z.boolean().optional(),
      protection: environmentProtection.partial().strict().optional(),
      parentId: id('env').nullish(),
    }),
    response: { status: 201, body: environment },
    topics: ['environment'],
    problems: ['already_exists', 'quota_exceeded', 'conflict', 'no_possible_approver'],
  },
  listEnvironments: {
    method: 'GET',
    path: `${org}/environments`,
    summary: 'The environments of the organization.',
    access: viewerOrKey,
    agents: 'read',
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(environment) },
    problems: ['invalid_cursor'],
  },
  getEnvironment: {
    method: 'GET',
    path: `${org}/environments/{environment_id}`,
    summary: 'One environment, by id or name.',
    access: viewerOrKey,
    response: { status: 200, body: environment },
  },
  updateEnvironment: {
    method: 'PATCH',
    path: `${org}/environments/{environment_id}`,
    summary: 'Change an environment. A new parent changes the inherited values immediately.',
    description:
      'Admins and owners change its `protection`; an API key cannot. A change that removes a part of the protection must satisfy that protection.',
    access: environmentManager,
    takesResponse: true,
    body: z.strictObject({
      name: resourceName.optional(),
      description: descriptionText.optional(),
      production: z.boolean().optional(),
      protection: environmentProtection.partial().strict().optional(),
      parentId: id('env').nullish(),
      ...confirmationFields,
    }),
    response: { status: 200, body: environment },
    topics: ['environment', 'configuration'],
    problems: [
      'already_exists',
      'conflict',
      'revision_mismatch',
      ...protectionProblems,
      'no_possible_approver',
      'step_up_required',
    ],
  },
  deleteEnvironment: {
    method: 'DELETE',
    path: `${org}/environments/{environment_id}`,
    summary: 'Delete an environment. One that holds values needs `?force=true`.',
    access: configRemover,
    query: z.strictObject({ force: queryFlag, ...confirmationFields }),
    response: { status: 204 },
    topics: ['environment', 'configuration'],
    problems: ['environment_in_use', 'revision_mismatch', ...protectionProblems],
  },
})
