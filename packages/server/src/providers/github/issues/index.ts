import { valueOf } from '../../context.ts'
import type { TrackerProvider } from '../../provider.ts'
import { createRepositoryKeys } from '../../issue-keys/repository-keys.ts'
import { toGithubApp } from '../application.ts'
import { createGithubConnector } from '../connector.ts'
import { openGithubRequests } from '../open-calls.ts'
import { createGithubIssuesApi } from './api.ts'
import { parseGithubIssueEvent } from './webhook-events.ts'

const permission = 'issues:read'
const wantedScopes = { [permission]: 'Signalbox can’t show issues of private repositories.' }
const grantAdvice =
  'On GitHub, open the settings of the App, set the repository permission Issues to Read-only and save. Then accept the new permission on the page of the installation.'

/**
 * Describes the issues of GitHub's repositories. Where GitHub is the code host, the App's installation reads them; else the App is
 * installed for them.
 */
export const githubIssues: TrackerProvider = {
  name: 'github-issues',
  kind: 'tracker',
  displayName: 'GitHub Issues',
  icon: { letters: 'GH', hue: 220 },
  shared: { with: 'github', parse: parseGithubIssueEvent },
  grammar: createRepositoryKeys({ issuesPaths: ['issues'], host: 'github.com', aliases: ['GH-'] }),
  addresses: [],
  application: {
    fields: [],
    registerUrl: ({ addresses }) => `${valueOf(addresses, 'web')}/settings/apps`,
  },
  capabilities: {
    readIssues: {
      needs: Object.keys(wantedScopes),
      without: 'Signalbox can’t read issues of private repositories.',
    },
    followIssues: {
      needs: Object.keys(wantedScopes),
      without: 'GitHub sends no webhooks about issues without this permission.',
    },
  },
  openConnector({ addresses, egress, now }, application) {
    const webUrl = valueOf(addresses, 'web')
    const github = createGithubConnector({
      webUrl,
      apiUrl: valueOf(addresses, 'api'),
      app: toGithubApp(application),
      egress,
      now,
    })
    return {
      provider: 'github-issues',
      way: 'shared',
      sharesWith: 'github',
      advice:
        'Signalbox reads the issues of the repositories that its GitHub App is installed on. Nothing else has to be granted.',
      readStanding: github.readStanding,
      refresh: undefined,
      revoke: undefined,
      revokeAdvice: 'GitHub itself stays connected.',
      manageUrl: github.manageUrl,
      grantAdvice,
      wantedScopes,
      own: {
        ...github,
        provider: 'github-issues',
        wantedScopes,
        grantAdvice,
        advice:
          'GitHub isn’t the code host of this organization, so this installs the GitHub App for the issues alone. Choose the repositories whose issues Signalbox reads. Only keys that name their repository count, such as acme/shop#12.',
      },
    }
  },
  openCalls(context) {
    const requestsOf = openGithubRequests(context)
    return (connection) => {
      const requests = requestsOf(connection)
      return requests && createGithubIssuesApi(requests, connection.account.id)
    }
  },
}
