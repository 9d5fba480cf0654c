import { createRepositoryKeys } from '../../issue-keys/repository-keys.ts'
import { valueOf } from '../../context.ts'
import type { TrackerProvider } from '../../provider.ts'
import { createGitlabRequests } from '../api-request.ts'
import { instanceOf } from '../instance.ts'
import { gitlabScopes } from '../oauth.ts'
import { createGitlabIssuesApi } from './api.ts'

/** Describes the issues of GitLab's projects. They need no connection of their own: the person who connected GitLab reads them. */
export const gitlabIssues: TrackerProvider = {
  name: 'gitlab-issues',
  kind: 'tracker',
  displayName: 'GitLab Issues',
  sharesWith: 'gitlab',
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
  openConnector: ({ addresses }) => ({
    provider: 'gitlab-issues',
    way: 'shared',
    sharesWith: 'gitlab',
    advice:
      'Signalbox reads the issues of the projects that the connected person may see. Nothing else has to be granted.',
    refresh: undefined,
    revoke: undefined,
    revokeAdvice: 'GitLab itself stays connected.',
    manageUrl: `${valueOf(addresses, 'web')}/-/user_settings/applications`,
    wantedScopes: { [gitlabScopes.read]: 'Signalbox can’t read issues.' },
  }),
  openCalls:
    ({ addresses }) =>
    ({ call, withAccessToken }) => {
      const webUrl = valueOf(addresses, 'web')
      const requests = createGitlabRequests({ call, webUrl, withAccessToken })
      return createGitlabIssuesApi(requests, instanceOf(webUrl))
    },
}
