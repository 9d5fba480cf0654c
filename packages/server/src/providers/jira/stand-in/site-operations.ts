import { json } from '../../../../../sandbox/src/http/answers.ts'
import type { Operation } from './gateway.ts'
import { issueFields, toAccountJson } from './issue-fields.ts'

/** Lists the operations about the whole site: the account, the fields of issues, the server. */
export const siteOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/myself',
    scope: 'read:jira-user',
    handle: ({ jira, addresses }) =>
      json({
        ...toAccountJson(jira.account, addresses),
        locale: 'en_US',
        groups: { size: 0, items: [] },
        applicationRoles: { size: 0, items: [] },
        expand: 'groups,applicationRoles',
      }),
  },
  {
    method: 'GET',
    path: '/field',
    scope: 'read:jira-work',
    handle: () =>
      json(
        Object.entries(issueFields).map(([id, { name, type }]) => ({
          id,
          key: id,
          name,
          custom: false,
          orderable: true,
          navigable: true,
          searchable: true,
          clauseNames: [id],
          schema: { type, system: id },
        })),
      ),
  },
  {
    method: 'GET',
    path: '/serverInfo',
    scope: undefined,
    handle: ({ jira, addresses }) =>
      json({
        baseUrl: addresses.web,
        displayUrl: addresses.web,
        version: '1001.0.0-SNAPSHOT',
        versionNumbers: [1001, 0, 0],
        deploymentType: 'Cloud',
        buildNumber: 100_000,
        serverTime: jira.clock.now().toISOString().replace('Z', '+0000'),
        serverTitle: 'Jira',
      }),
  },
]
