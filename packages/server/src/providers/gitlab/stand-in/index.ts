import {
  clientSettings,
  describeStandIn,
  issuesOf,
  type Participant,
} from '../../../../../sandbox/src/models/stand-in.ts'
import { createGitlab, gitlabPath } from './gitlab.ts'

/** Stands in for a GitLab instance, with its application and its issues. */
export const gitlab = describeStandIn({
  create: createGitlab,
  addresses: { gitlab: gitlabPath },
  participants(own, at) {
    const host: Participant = {
      name: 'gitlab',
      title: 'GitLab',
      kind: 'codehost',
      settings: () => ({
        SIGNALBOX_GITLAB_URL: at.gitlab,
        ...clientSettings('GITLAB', own.app),
      }),
      register({ callbackUrl }) {
        own.app.redirectUris = [callbackUrl]
      },
      testWorkflow: 'pipeline',
    }
    return [host, issuesOf(host, own.codeHost)]
  },
  switches: (own) => [
    {
      name: 'gitlab-lag',
      title: 'GitLab: refuse a good refresh token',
      explains: 'Answers the next refresh with invalid_grant, as a replica that lags does.',
      turn() {
        own.settings.refusesGoodRefreshes += 1
      },
    },
    {
      name: 'gitlab-revoke',
      title: 'GitLab: revoke the application',
      explains: 'Ends all of its tokens. Connect again afterwards.',
      turn: () => own.revokeGrants(),
    },
  ],
  settings: ({ settings }) => [
    {
      name: 'gitlab-signing',
      title: 'GitLab signs webhooks for hooks with a signing token',
      isOn: () => settings.hasSigningTokens,
      set(on) {
        settings.hasSigningTokens = on
      },
    },
  ],
})
