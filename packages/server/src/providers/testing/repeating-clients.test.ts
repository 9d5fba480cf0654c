import { Gitlab } from '@gitbeaker/rest'
import { LinearClient } from '@linear/sdk'
import { Client4 } from '@mattermost/client'
import { Octokit } from '@octokit/rest'
import { LogLevel, retryPolicies, WebClient } from '@slack/web-api'
import { forgejoApi } from 'forgejo-js'
import { createClient } from 'jira.js/core'
import { describe, expect, it } from 'vitest'
import { connect } from '../gitlab/stand-in/testing/connect.ts'
import { openShop } from '../gitlab/stand-in/testing/open-shop.ts'
import { openSandbox } from '../../../../sandbox/src/testing/open-sandbox.ts'

const sandbox = await openSandbox()

/** Answers each POST to `provider` with `status`, makes the call, and counts how often it was sent. */
async function countPosts(provider: string, status: number, call: () => Promise<unknown>) {
  const fault = { kind: 'answer', status, body: '{}' } as const
  sandbox.faults.add({ provider, request: 'POST /', times: 100, fault })
  await expect(call()).rejects.toBeDefined()
  return sandbox.log.list().filter(({ method }) => method === 'POST').length
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

function postBySlack(retryConfig: object) {
  const slackApiUrl = `${sandbox.addresses.slackApi}/`
  const client = new WebClient('xoxb-any', { slackApiUrl, retryConfig, logLevel: LogLevel.ERROR })
  return client.apiCall('chat.postMessage', { channel: 'C1', text: 'Hello' })
}

/** Lists the other clients, each with one call that has an effect. */
const others: Record<string, readonly [string, () => Promise<unknown>]> = {
  '@linear/sdk': [
    'linear',
    () =>
      new LinearClient({
        accessToken: 'any',
        apiUrl: `${sandbox.addresses.linearApi}/graphql`,
      }).client.request('mutation { logout { success } }'),
  ],
  '@mattermost/client': [
    'mattermost',
    () => {
      const client = new Client4()
      client.setUrl(sandbox.addresses.mattermost)
      return client.createPost({ channel_id: 'any', message: 'Hello' })
    },
  ],
  '@octokit/rest': [
    'github',
    () =>
      new Octokit({ baseUrl: sandbox.addresses.githubApi, log: quiet }).rest.repos.createDeployment(
        { owner: 'acme', repo: 'shop', ref: 'main' },
      ),
  ],
  '@slack/web-api as our tests open it': ['slack', () => postBySlack({ retries: 0 })],
  'forgejo-js': [
    'forgejo',
    () => {
      const api = forgejoApi(sandbox.addresses.forgejo, { token: 'any' })
      return api.repos.repoCreateHook('acme', 'shop', { type: 'forgejo', config: {} } as never)
    },
  ],
  'jira.js': [
    'jira',
    () =>
      createClient({
        host: sandbox.addresses.jiraApi,
        auth: { type: 'bearer', token: 'any' },
      }).sendRequest({ url: '/rest/api/3/issue', method: 'POST', body: {} } as never),
  ],
}

/** Why the service makes its calls itself, and these clients stay in tests. */
describe('@gitbeaker/rest', () => {
  it.each([429, 502])(
    'starts one pipeline ten times where each start is answered %s',
    async (status) => {
      const { project } = openShop(sandbox, `acme/shop-${status}`)
      const { access_token: oauthToken } = await connect(sandbox)
      const path = `POST /projects/${project.id}/pipeline`
      const fault = { kind: 'answer', status, body: '{}' } as const
      sandbox.faults.add({ provider: 'gitlab', request: path, times: 100, fault })
      const gitlab = new Gitlab({ host: sandbox.addresses.gitlab, oauthToken })
      await expect(gitlab.Pipelines.create(project.id, 'main')).rejects.toThrow('retries')
      const starts = sandbox.log
        .list()
        .filter(
          ({ method, path: at }) =>
            method === 'POST' && at.endsWith(`/projects/${project.id}/pipeline`),
        )
      expect(starts).toHaveLength(10)
    },
  )
})

describe('@slack/web-api', () => {
  it('as it comes, posts one message eleven times where each is answered 502', async () => {
    const post = () => postBySlack(retryPolicies.rapidRetryPolicy)
    expect(await countPosts('slack', 502, post)).toBe(11)
  })
})

/** A client that began to repeat would hide from the tests of the sandbox what it answers first. */
describe('the other published clients', () => {
  it.each(
    Object.entries(others).flatMap(([name, [provider, call]]) =>
      [429, 502].map((status) => ({ name, provider, call, status })),
    ),
  )('send a POST once: $name, answered $status', async ({ provider, call, status }) => {
    expect(await countPosts(provider, status, call)).toBe(1)
  })
})
