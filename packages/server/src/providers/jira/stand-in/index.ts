import { clientSettings, describeStandIn } from '../../../../../sandbox/src/models/stand-in.ts'
import { createJira } from './jira.ts'

/** Stands in for Jira Cloud. */
export const jira = describeStandIn({
  create: createJira,
  addresses: { jiraAuth: '/atlassian/auth', jiraApi: '/atlassian/api' },
  participants: (own, at) => [
    {
      name: 'jira',
      title: 'Jira',
      kind: 'tracker',
      settings: () => ({
        SIGNALBOX_JIRA_AUTH_URL: at.jiraAuth,
        SIGNALBOX_JIRA_API_URL: at.jiraApi,
        ...clientSettings('JIRA', own.app),
      }),
      register({ callbackUrl }) {
        own.app.redirectUris = [callbackUrl]
      },
      pages: () =>
        [...own.sites.acme.issues.values()]
          .filter(({ project }) => !project.hidden)
          .map(({ key, summary }) => ({
            id: `issue-${key}`,
            title: key,
            note: summary,
            url: new URL(`/atlassian/sites/acme/browse/${key}`, at.jiraApi).href,
          })),
      projectKeys: ['ABC', 'WEB2'],
    },
  ],
  switches: (own, faults) => [
    {
      name: 'jira-too-many',
      title: 'Jira: too many requests',
      explains: 'Answers the next call with 429 and asks for a retry after three seconds.',
      turn: () =>
        faults.add({ provider: 'jira', fault: own.rateLimited({ retryAfterSeconds: 3 }) }),
    },
    {
      name: 'jira-revoke',
      title: 'Jira: remove the grant',
      explains: 'Removes the app from the account. Connect again afterwards.',
      turn: () => own.removeGrant(),
    },
  ],
  settings: ({ sites }) => [
    {
      name: 'jira-second-site',
      title: 'The Jira account has two sites to choose from',
      isOn: () => sites['acme-labs'].offered,
      set(on) {
        sites['acme-labs'].offered = on
      },
    },
  ],
})
