import { clientFields, toClient } from '../client-application.ts'
import { valueOf } from '../context.ts'
import type { CodehostProvider } from '../provider.ts'
import { createGitlabApi } from './api.ts'
import { createGitlabConnector } from './connector.ts'
import { gitlabScopes } from './oauth.ts'
import { gitlabPipelineTokens } from './pipeline-tokens.ts'
import { deploymentEvent, parseGitlabEvent } from './webhook-events.ts'
import { gitlabWebhooks } from './webhooks.ts'

interface Instance extends Pick<CodehostProvider, 'name' | 'displayName' | 'icon'> {
  /** Empty: there is none until the operator names it. */
  readonly defaultUrl: string
  readonly urlMeaning: string
}

const levels: NonNullable<CodehostProvider['levels']> = {
  full: [gitlabScopes.full],
  readOnlyAdvice:
    'With read access, Signalbox creates no webhooks, so it sees a deployment within five minutes, and it starts no pipelines.',
}

const capabilities: NonNullable<CodehostProvider['capabilities']> = {
  recordDeployments: {
    needs: [gitlabScopes.read],
    without: 'Signalbox can’t read projects and deployments.',
  },
  readCommits: {
    needs: [gitlabScopes.read],
    without: 'Signalbox can’t read commits.',
  },
  followDeployments: {
    needs: [gitlabScopes.full],
    without:
      'Signalbox can’t create webhooks, because GitLab was connected with read access. It asks for deployments every five minutes.',
  },
  startWorkflows: {
    needs: [gitlabScopes.full],
    without:
      'Signalbox can’t start pipelines or test runs, because GitLab was connected with read access.',
  },
  readPullRequests: {
    needs: [gitlabScopes.full],
    without:
      'Signalbox can’t follow merge requests, because GitLab was connected with read access.',
  },
  writeStatuses: {
    needs: [gitlabScopes.full],
    without:
      'Signalbox can’t write beside a commit, because GitLab was connected with read access.',
  },
  readTestReports: {
    needs: [gitlabScopes.read],
    without: 'Signalbox can’t read the test results of pipelines.',
  },
}

const describeGitlab = ({
  name,
  displayName,
  icon,
  defaultUrl,
  urlMeaning,
}: Instance): CodehostProvider => ({
  name,
  kind: 'codehost',
  displayName,
  icon,
  addresses: [{ name: 'web', setting: 'URL', default: defaultUrl, meaning: urlMeaning }],
  application: {
    fields: clientFields(`the ${displayName} application`),
    registerUrl: ({ addresses }) => `${valueOf(addresses, 'web')}/-/user_settings/applications`,
    scopes: [gitlabScopes.full],
  },
  openConnector: ({ addresses, egress, now }, application) =>
    createGitlabConnector({
      provider: name,
      webUrl: valueOf(addresses, 'web'),
      app: toClient(application),
      egress,
      now,
    }),
  openCalls:
    ({ addresses }) =>
    ({ call, scopes, withAccessToken }) =>
      createGitlabApi({ call, webUrl: valueOf(addresses, 'web'), withAccessToken, scopes }),
  // Its webhooks leave approvals out, and lose what is over a limit without a trace.
  deployments: { known: 'polled', events: [deploymentEvent] },
  startableAdvice: 'declare the inputs under `spec:inputs` in its CI file',
  levels,
  capabilities,
  limits: [
    'GitLab reports a deployment that waits for an approval only when Signalbox asks for it, every five minutes.',
    'Signalbox acts with the rights of the person who connects, and loses access when their account or role ends. A service account is the better choice.',
  ],
  toCompareUrl: (repositoryUrl, base, head) => `${repositoryUrl}/-/compare/${base}...${head}`,
  pipelineTokens: ({ addresses }) => gitlabPipelineTokens(name, valueOf(addresses, 'web')),
  webhooks: { scheme: gitlabWebhooks, verifiedBy: 'connection', parse: parseGitlabEvent },
})

/** Describes gitlab.com, or one GitLab of one's own. */
export const gitlab = describeGitlab({
  name: 'gitlab',
  displayName: 'GitLab',
  icon: { letters: 'GL', hue: 50 },
  defaultUrl: 'https://gitlab.com',
  urlMeaning: 'URL of GitLab, with its path if it has one.',
})

/** Describes a second and a third GitLab, which the operator gives a URL. */
export const furtherGitlabs: readonly CodehostProvider[] = [2, 3].map((number) =>
  describeGitlab({
    name: `gitlab-${number}`,
    displayName: `GitLab ${number}`,
    icon: { letters: `G${number}`, hue: 50 },
    defaultUrl: '',
    urlMeaning: `URL of ${number === 2 ? 'a second' : 'a third'} GitLab, with its path if it has one.`,
  }),
)
