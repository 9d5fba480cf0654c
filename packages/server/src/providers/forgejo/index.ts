import { clientFields, toClient } from '../client-application.ts'
import { valueOf } from '../context.ts'
import type { CodehostProvider } from '../provider.ts'
import { createForgejoApi, createForgejoMemory } from './api.ts'
import { createForgejoConnector } from './connector.ts'
import { forgejoScopes } from './oauth.ts'
import { forgejoPipelineTokens } from './pipeline-tokens.ts'
import { parseForgejoEvent } from './webhook-events.ts'
import { forgejoWebhooks } from './webhooks.ts'

/** An instance keeps one consent of each person, and refuses another one with other scopes instead of asking. */
const otherScopes = /grant exists with different scope/i

const noDeployments = {
  lacks: 'Forgejo has no deployments. Your pipeline reports them.',
  nextStep: 'Add a step to the pipeline that deploys: signalbox deployments report.',
} as const

/** Describes one Forgejo, or one Gitea, such as Codeberg. */
export const forgejo: CodehostProvider = {
  name: 'forgejo',
  kind: 'codehost',
  displayName: 'Forgejo',
  icon: { letters: 'FO', hue: 30 },
  addresses: [
    {
      name: 'web',
      setting: 'URL',
      default: 'https://codeberg.org',
      meaning: 'URL of Forgejo or Gitea, with its path if it has one.',
    },
  ],
  application: {
    fields: clientFields('the application at Forgejo'),
    registerUrl: ({ addresses }) => `${valueOf(addresses, 'web')}/user/settings/applications`,
    scopes: [forgejoScopes.write, forgejoScopes.issue, forgejoScopes.user],
  },
  openConnector: ({ addresses, egress, now }, application) =>
    createForgejoConnector({
      webUrl: valueOf(addresses, 'web'),
      app: toClient(application),
      egress,
      now,
    }),
  returns: {
    read: ({ error, error_description: description }) =>
      error !== undefined && typeof description === 'string' && otherScopes.test(description)
        ? 'granted_otherwise'
        : undefined,
  },
  openCalls({ addresses }) {
    const memory = createForgejoMemory()
    const webUrl = valueOf(addresses, 'web')
    return ({ account, call, scopes, withAccessToken }) =>
      createForgejoApi({ call, webUrl, withAccessToken, scopes, accountId: account.id, memory })
  },
  levels: {
    full: [forgejoScopes.write],
    readOnlyAdvice:
      'With read access, Signalbox creates no webhooks and starts no workflows, so it runs no tests.',
  },
  capabilities: {
    recordDeployments: noDeployments,
    followDeployments: noDeployments,
    readPullRequests: {
      needs: [forgejoScopes.write],
      without:
        'Signalbox can’t follow pull requests, because Forgejo was connected with read access.',
    },
    writeStatuses: {
      needs: [forgejoScopes.write],
      without:
        'Signalbox can’t write beside a commit, because Forgejo was connected with read access.',
    },
    readCommits: { needs: [forgejoScopes.read], without: 'Signalbox can’t read commits.' },
    startWorkflows: {
      needs: [forgejoScopes.write],
      without:
        'Signalbox can’t start workflows or test runs, because Forgejo was connected with read access.',
    },
  },
  startableAdvice: 'add `workflow_dispatch` to its triggers',
  limits: [
    'Gitea gives its pipelines no tokens, so they upload test reports with a server key.',
    'Signalbox acts with the rights of the person who connects, and loses access when their account or role ends. A service account is the better choice.',
    'Forgejo offers no way to revoke an access. The person who connected removes the application in their settings.',
  ],
  toCompareUrl: (repositoryUrl, base, head) => `${repositoryUrl}/compare/${base}...${head}`,
  pipelineTokens: ({ addresses }) => forgejoPipelineTokens(valueOf(addresses, 'web')),
  webhooks: { scheme: forgejoWebhooks, verifiedBy: 'connection', parse: parseForgejoEvent },
}
