import { valueOf } from '../context.ts'
import type { CodehostProvider } from '../provider.ts'
import { githubEvents, githubFields, githubPermissions, toGithubApp } from './application.ts'
import { createGithubConnector } from './connector.ts'
import { createGithubDeliveryLog } from './delivery-log.ts'
import { statusScopes } from './checks/api-statuses.ts'
import { isLoopback, toWebhookOrigin } from './loopback.ts'
import { openGithubCalls } from './open-calls.ts'
import { githubPipelineTokens } from './pipeline-tokens.ts'
import { githubTarget } from './target/target.ts'
import { parseGithubEvent } from './webhook-events.ts'
import { githubRegistration } from './registration.ts'
import { githubWebhooks } from './webhooks.ts'

/** Says how an App gets what it was registered without: its owner asks for it, and each account accepts it. */
const toNextStep = (permission: string, event?: string) =>
  `In the settings of the App on GitHub, choose ${permission}${
    event === undefined ? '' : ` and the event ${event}`
  }. Then accept the new permissions of the installation on GitHub.`

/** Describes GitHub, and a GitHub Enterprise Server. */
export const github: CodehostProvider = {
  name: 'github',
  kind: 'codehost',
  displayName: 'GitHub',
  icon: { letters: 'GH', hue: 220 },
  addresses: [
    {
      name: 'web',
      setting: 'WEB_URL',
      default: 'https://github.com',
      meaning: 'URL of GitHub in a browser.',
    },
    {
      name: 'api',
      setting: 'API_URL',
      default: 'https://api.github.com',
      meaning: 'URL of the GitHub API.',
    },
  ],
  application: {
    fields: githubFields,
    registerUrl: ({ addresses }) => `${valueOf(addresses, 'web')}/settings/apps/new`,
    permissions: githubPermissions,
    events: githubEvents,
    registration: githubRegistration,
  },
  openConnector: ({ addresses, egress, now }, application) =>
    createGithubConnector({
      webUrl: valueOf(addresses, 'web'),
      apiUrl: valueOf(addresses, 'api'),
      app: toGithubApp(application),
      egress,
      now,
    }),
  returns: {
    fields: { installation_id: 30, setup_action: 30 },
    read({ setup_action: setupAction, state }) {
      if (setupAction === undefined) return undefined
      // The person did not begin here: the installation was changed on GitHub's own pages, which lead here as well.
      if (state === undefined) return 'changed_elsewhere'
      // The person who asked may not install the App there; an owner of the account was asked to.
      return setupAction === 'request' ? 'approval_requested' : undefined
    },
  },
  openCalls: openGithubCalls,
  deployments: { known: 'told', events: ['deployment', 'deployment_status'] },
  target: githubTarget,
  startableAdvice: 'add `workflow_dispatch` to its triggers',
  limits: [
    'In private repositories, GitHub holds deployments only on its Enterprise plan. Elsewhere, let the pipeline ask: signalbox gate.',
  ],
  toCompareUrl: (repositoryUrl, base, head) => `${repositoryUrl}/compare/${base}...${head}`,
  pipelineTokens: ({ addresses }) => githubPipelineTokens(valueOf(addresses, 'web')),
  capabilities: {
    recordDeployments: {
      needs: ['metadata:read', 'deployments:read'],
      without: 'Signalbox can’t read repositories and deployments.',
    },
    readCommits: {
      needs: ['contents:read'],
      without: 'Signalbox sees only the newest commit of a deployment.',
    },
    startWorkflows: {
      needs: ['actions:read', 'actions:write'],
      without: 'Signalbox can’t start workflows, so it tests no deployment.',
    },
    readPullRequests: {
      needs: ['pull_requests:read'],
      without: 'Signalbox can’t follow pull requests.',
      nextStep: toNextStep('Pull requests: Read-only', 'Pull request'),
    },
    writeStatuses: {
      needs: [statusScopes.checkRun],
      orNeeds: [statusScopes.commitStatus],
      without: 'Signalbox can’t write the check beside a commit.',
      nextStep: toNextStep('Checks: Read and write'),
    },
    holdDeployments: {
      needs: ['actions:read', 'deployments:write'],
      without: 'Signalbox can’t hold a deployment on GitHub.',
      nextStep: toNextStep('Deployments: Read and write', 'Deployment protection rule'),
    },
  },
  webhooks: {
    scheme: githubWebhooks,
    parse: parseGithubEvent,
    toOrigin: toWebhookOrigin,
    openLog({ addresses, application, egress, now }, { publicUrl }) {
      const registered = application()
      return (
        registered &&
        createGithubDeliveryLog({
          call: { provider: 'github', egress, now },
          apiUrl: valueOf(addresses, 'api'),
          app: toGithubApp(registered),
          status: isLoopback(publicUrl) ? 'all' : 'failure',
        })
      )
    },
  },
}
