import { toClient } from '../../client-application.ts'
import type { OwnConnector } from '../../connector.ts'
import { createRepositoryKeys } from '../../issue-keys/repository-keys.ts'
import { valueOf } from '../../context.ts'
import type { CodehostProvider, TrackerProvider } from '../../provider.ts'
import { createGitlabRequests } from '../api-request.ts'
import { instanceOf } from '../instance.ts'
import { createGitlabConnector } from '../connector.ts'
import { furtherGitlabs, gitlab } from '../index.ts'
import { gitlabScopes, type GitlabOAuthOptions } from '../oauth.ts'
import { createGitlabIssuesApi } from './api.ts'
import { parseGitlabIssueEvent } from './webhook-events.ts'

const wantedScopes = { [gitlabScopes.read]: 'Signalbox can’t read issues.' }

/** Names an instance's issues, and the code host whose connection they may share. */
interface IssuesOf {
  readonly name: string
  readonly host: Pick<CodehostProvider, 'name' | 'displayName' | 'icon'>
}

/** Creates what connects the issues alone: with a grant that reads, and no webhooks. */
function createOwnConnector(
  options: GitlabOAuthOptions,
  { displayName }: IssuesOf['host'],
): OwnConnector {
  const gitlab = createGitlabConnector(options)
  return {
    ...gitlab,
    authorizeUrl: (request) => gitlab.authorizeUrl({ ...request, level: 'read' }),
    wantedScopes,
    advice: `${displayName} isn’t the code host of this organization, so ${displayName} asks for access of its own, which only reads. Only keys that name their project count, such as group/project#12.`,
  }
}

const describeGitlabIssues = ({ name, host }: IssuesOf): TrackerProvider => ({
  name,
  kind: 'tracker',
  displayName: `${host.displayName} Issues`,
  icon: host.icon,
  shared: { with: host.name, parse: parseGitlabIssueEvent },
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
        'Signalbox can’t create webhooks for issues, so it reads an issue when a deployment or its message needs it, and every six hours.',
      nextStep: `Connect ${host.displayName} as the code host with full access.`,
    },
  },
  openConnector({ addresses, egress, now }, application) {
    const webUrl = valueOf(addresses, 'web')
    const options = { provider: name, webUrl, app: toClient(application), egress, now }
    const own = createOwnConnector(options, host)
    return {
      provider: name,
      way: 'shared',
      sharesWith: host.name,
      instanceAddress: instanceOf(webUrl),
      advice: `Signalbox reads the issues of the projects on ${host.displayName} that the connected person may see. Nothing else has to be granted.`,
      refresh: undefined,
      revoke: undefined,
      revokeAdvice: `${host.displayName} itself stays connected.`,
      manageUrl: `${webUrl}/-/user_settings/applications`,
      wantedScopes,
      own,
    }
  },
  openCalls:
    ({ addresses }) =>
    ({ call, withAccessToken }) => {
      const webUrl = valueOf(addresses, 'web')
      const requests = createGitlabRequests({ call, webUrl, withAccessToken })
      return createGitlabIssuesApi(requests, instanceOf(webUrl))
    },
})

/** Describes the issues of GitLab's projects. Where GitLab is the code host, the person who connected it reads them. */
export const gitlabIssues = describeGitlabIssues({ name: 'gitlab-issues', host: gitlab })

/** Describes the issues of a second and a third GitLab. */
export const furtherGitlabIssues: readonly TrackerProvider[] = furtherGitlabs.map((host) =>
  describeGitlabIssues({ name: host.name.replace('gitlab', 'gitlab-issues'), host }),
)
