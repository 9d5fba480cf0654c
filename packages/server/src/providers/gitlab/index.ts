import { clientFields, toClient } from '../client-application.ts'
import { valueOf } from '../context.ts'
import type { CodehostProvider } from '../provider.ts'
import { createGitlabApi } from './api.ts'
import { createGitlabConnector } from './connector.ts'
import { gitlabScopes } from './oauth.ts'
import { gitlabPipelineTokens } from './pipeline-tokens.ts'
import { deploymentEvent, parseGitlabEvent } from './webhook-events.ts'
import { gitlabWebhooks } from './webhooks.ts'

/** Describes gitlab.com, or one GitLab of one's own. */
export const gitlab: CodehostProvider = {
  name: 'gitlab',
  kind: 'codehost',
  displayName: 'GitLab',
  addresses: [
    {
      name: 'web',
      setting: 'URL',
      default: 'https://gitlab.com',
      meaning: 'URL of GitLab, with its path if it has one.',
    },
  ],
  application: {
    fields: clientFields('the GitLab application'),
    registerUrl: ({ addresses }) => `${valueOf(addresses, 'web')}/-/user_settings/applications`,
    scopes: [gitlabScopes.full],
  },
  openConnector: ({ addresses, egress, now }, application) =>
    createGitlabConnector({
      webUrl: valueOf(addresses, 'web'),
      app: toClient(application),
      egress,
      now,
    }),
  openCalls:
    ({ addresses }) =>
    ({ call, scopes, withAccessToken }) =>
      createGitlabApi({ call, webUrl: valueOf(addresses, 'web'), withAccessToken, scopes }),
  deploymentEvents: [deploymentEvent],
  // Its webhooks leave approvals out, and lose what is over a limit without a trace.
  deployments: 'polled',
  startableAdvice: 'declare the inputs under `spec:inputs` in its CI file',
  limits: [
    'GitLab reports a deployment that waits for an approval only when Signalbox asks for it, every five minutes.',
    'The access is that of the person who connects. It ends with their account or role, so a service account is the better choice.',
  ],
  toCompareUrl: (repositoryUrl, base, head) => `${repositoryUrl}/-/compare/${base}...${head}`,
  pipelineTokens: ({ addresses }) => gitlabPipelineTokens(valueOf(addresses, 'web')),
  webhooks: { scheme: gitlabWebhooks, secretsOf: 'connection', parse: parseGitlabEvent },
}
