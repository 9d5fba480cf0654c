import { toClient } from '../../client-application.ts'
import { instanceOf } from '../../codehosts/instance-ids.ts'
import type { OwnConnector } from '../../connector.ts'
import { valueOf } from '../../context.ts'
import { createRepositoryKeys } from '../../issue-keys/repository-keys.ts'
import type { OAuthConnectorOptions } from '../../oauth-client.ts'
import type { TrackerProvider } from '../../provider.ts'
import { createForgejoRequests } from '../api-request.ts'
import { createForgejoConnector, grantAdvice } from '../connector.ts'
import { forgejoScopes } from '../oauth.ts'
import { createForgejoIssuesApi } from './api.ts'
import { parseForgejoIssueEvent } from './webhook-events.ts'

const wantedScopes = { [forgejoScopes.issue]: 'Signalbox can’t read issues.' }

/** Creates what connects the issues alone: with a grant that reads, and no webhooks. */
function createOwnConnector(options: OAuthConnectorOptions): OwnConnector {
  const forgejo = createForgejoConnector(options)
  return {
    ...forgejo,
    provider: 'forgejo-issues',
    authorizeUrl: (request) => forgejo.authorizeUrl({ ...request, level: 'read' }),
    revoke: undefined,
    wantedScopes,
    advice:
      'Forgejo isn’t the code host of this organization, so Forgejo asks for access of its own, which only reads. Only keys that name their repository count, such as acme/shop#12.',
  }
}

/** Describes the issues of one Forgejo or Gitea. Where it is the code host, the person who connected it reads them. */
export const forgejoIssues: TrackerProvider = {
  name: 'forgejo-issues',
  kind: 'tracker',
  displayName: 'Forgejo Issues',
  icon: { letters: 'FO', hue: 30 },
  shared: { with: 'forgejo', parse: parseForgejoIssueEvent },
  grammar: createRepositoryKeys({ issuesPaths: ['issues'], host: 'codeberg.org' }),
  addresses: [],
  application: {
    fields: [],
    registerUrl: ({ addresses }) => `${valueOf(addresses, 'web')}/user/settings/applications`,
  },
  capabilities: {
    readIssues: {
      needs: Object.keys(wantedScopes),
      without: 'Signalbox can’t read issues.',
    },
    followIssues: {
      needs: [forgejoScopes.write],
      without:
        'Signalbox can’t create webhooks for issues, so it reads an issue when a deployment or its message needs it, and every six hours.',
      nextStep: 'Connect Forgejo as the code host with full access.',
    },
  },
  openConnector({ addresses, egress, now }, application) {
    const own = createOwnConnector({
      webUrl: valueOf(addresses, 'web'),
      app: toClient(application),
      egress,
      now,
    })
    return {
      provider: 'forgejo-issues',
      way: 'shared',
      sharesWith: 'forgejo',
      advice:
        'Signalbox reads the issues of the repositories on Forgejo that the connected person may see. Nothing else has to be granted.',
      refresh: undefined,
      revoke: undefined,
      revokeAdvice: 'Forgejo itself stays connected.',
      manageUrl: own.manageUrl,
      grantAdvice,
      wantedScopes,
      own,
    }
  },
  openCalls:
    ({ addresses }) =>
    ({ call, withAccessToken }) => {
      const webUrl = valueOf(addresses, 'web')
      const requests = createForgejoRequests({ call, webUrl, withAccessToken })
      return createForgejoIssuesApi(requests, instanceOf(webUrl))
    },
}
