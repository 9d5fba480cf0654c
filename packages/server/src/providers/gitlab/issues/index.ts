import { toClient } from '../../client-application.ts'
import type { OwnConnector } from '../../connector.ts'
import { createRepositoryKeys } from '../../issue-keys/repository-keys.ts'
import { valueOf } from '../../context.ts'
import type { TrackerProvider } from '../../provider.ts'
import { createGitlabRequests } from '../api-request.ts'
import { instanceOf } from '../instance.ts'
import { createGitlabConnector } from '../connector.ts'
import { gitlabScopes, type GitlabOAuthOptions } from '../oauth.ts'
import { createGitlabIssuesApi } from './api.ts'
import { parseGitlabIssueEvent } from './webhook-events.ts'

const wantedScopes = { [gitlabScopes.read]: 'Signalbox can’t read issues.' }

/** Creates what connects the issues alone: with a grant that reads, and no webhooks. */
function createOwnConnector(options: GitlabOAuthOptions): OwnConnector {
  const gitlab = createGitlabConnector(options)
  return {
    ...gitlab,
    authorizeUrl: (request) => gitlab.authorizeUrl({ ...request, level: 'read' }),
    wantedScopes,
    advice:
      'GitLab isn’t the code host of this organization, so GitLab asks for access of its own, which only reads. Only keys that name their project count, such as group/project#12.',
  }
}

/** Describes the issues of GitLab's projects. Where GitLab is the code host, the person who connected it reads them. */
export const gitlabIssues: TrackerProvider = {
  name: 'gitlab-issues',
  kind: 'tracker',
  displayName: 'GitLab Issues',
  sharesWith: 'gitlab',
  parseShared: parseGitlabIssueEvent,
  // GitLab writes the addresses of issues in three ways, of which the last is the oldest.
  grammar: createRepositoryKeys({
    issuesPaths: ['-/issues', '-/work_items', 'issues'],
    host: 'gitlab.com',
  }),
  addresses: [],
  application: {
    fields: [],
    registerUrl: ({ addresses }) => `${valueOf(addresses, 'web')}/-/user_settings/applications`,
  },
  capabilities: {
    followIssues: {
      needs: [gitlabScopes.full],
      without:
        'Signalbox creates webhooks only where GitLab is the code host and was connected with full access. It reads an issue when a deployment or its message needs it.',
      nextStep: 'Connect GitLab as the code host with full access.',
    },
  },
  openConnector: ({ addresses, egress, now }, application) => ({
    provider: 'gitlab-issues',
    way: 'shared',
    sharesWith: 'gitlab',
    advice:
      'Signalbox reads the issues of the projects that the connected person may see. Nothing else has to be granted.',
    refresh: undefined,
    revoke: undefined,
    revokeAdvice: 'GitLab itself stays connected.',
    manageUrl: `${valueOf(addresses, 'web')}/-/user_settings/applications`,
    wantedScopes,
    own: createOwnConnector({
      provider: 'gitlab-issues',
      webUrl: valueOf(addresses, 'web'),
      app: toClient(application),
      egress,
      now,
    }),
  }),
  openCalls:
    ({ addresses }) =>
    ({ call, withAccessToken }) => {
      const webUrl = valueOf(addresses, 'web')
      const requests = createGitlabRequests({ call, webUrl, withAccessToken })
      return createGitlabIssuesApi(requests, instanceOf(webUrl))
    },
}
