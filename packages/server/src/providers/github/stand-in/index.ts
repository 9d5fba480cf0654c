import {
  clientSettings,
  describeStandIn,
  issuesOf,
  type Participant,
} from '../../../../../sandbox/src/models/stand-in.ts'
import { createGithub } from './github.ts'
import { issuerPath } from './pipeline-identity.ts'

/** Stands in for GitHub, with its App and its issues. */
export const github = describeStandIn({
  create: createGithub,
  addresses: {
    githubWeb: '/github',
    githubApi: '/github/api',
    /** The issuer of pipelines' tokens, at the path that a GitHub Enterprise Server uses. */
    githubIssuer: `/github${issuerPath}`,
  },
  participants(own, at) {
    const host: Participant = {
      name: 'github',
      title: 'GitHub',
      kind: 'codehost',
      settings: () => ({
        SIGNALBOX_GITHUB_WEB_URL: at.githubWeb,
        SIGNALBOX_GITHUB_API_URL: at.githubApi,
        SIGNALBOX_GITHUB_APP_ID: String(own.app.id),
        SIGNALBOX_GITHUB_APP_SLUG: own.app.slug,
        ...clientSettings('GITHUB', own.app),
        SIGNALBOX_GITHUB_PRIVATE_KEY: own.app.privateKey,
        SIGNALBOX_GITHUB_WEBHOOK_SECRET: own.app.webhookSecret,
      }),
      register: ({ callbackUrl, webhookUrl }) =>
        Object.assign(own.app, {
          callbackUrls: [callbackUrl],
          webhookUrl,
          redirectsOnUpdate: true,
        }),
      testWorkflow: 'e2e.yml',
    }
    return [host, issuesOf(host, own.codeHost)]
  },
  switches: (_, faults) => [
    {
      name: 'github-down',
      title: 'GitHub: unavailable',
      explains: 'Answers the next three calls with 502 and an HTML page.',
      turn: () =>
        faults.add({
          provider: 'github',
          times: 3,
          fault: {
            kind: 'answer',
            status: 502,
            headers: { 'content-type': 'text/html' },
            body: '<h1>502 Bad Gateway</h1>',
          },
        }),
    },
  ],
})
