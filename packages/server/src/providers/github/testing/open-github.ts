import { startSandbox } from '@signalbox/sandbox'
import { onTestFinished } from 'vitest'
import { createEgress } from '../../../egress/create-egress.ts'
import type { ProviderCall } from '../../call-provider.ts'
import { createAnswerCache } from '../answer-cache.ts'
import { createGithubApi } from '../api.ts'
import { createGithubRequests } from '../api-request.ts'
import { createInstallationTokens } from '../installation-tokens.ts'
import { createRateBudgets } from '../rate-budgets.ts'

/** Ends a call that a test keeps from ending. */
const endlessMs = 2_000

export interface OpenGithub {
  /** Has every token end after so many milliseconds. Default: when GitHub says. */
  readonly tokenMs?: number
  /** Lists what the installation may do, as the connection says. Default: to write check runs. */
  readonly scopes?: readonly string[]
}

/** A sandbox with the repository `acme/shop`, and the adapter over its installation. Both end with the test. */
export async function openGithub({ tokenMs, scopes = ['checks:write'] }: OpenGithub = {}) {
  const sandbox = await startSandbox()
  const egress = createEgress({ allow: ['127.0.0.1'] })
  onTestFinished(async () => {
    await Promise.all([sandbox.close(), egress.close()])
  })
  const { github, addresses, clock } = sandbox
  const { accounts } = github.state
  const [acme, ada] = [accounts.get('acme'), accounts.get('ada')]
  if (acme === undefined || ada === undefined) throw new Error('The seed has lost its accounts')
  const repository = github.activity.addRepository({ owner: acme, name: 'shop' })
  const accountId = String(github.install({ account: 'acme' }).id)
  const sent: string[] = []
  const endless = new Set<string>()
  const call: ProviderCall = {
    provider: 'github',
    egress: {
      async request(url, options) {
        sent.push(`${options?.method ?? 'GET'} ${url.replace(addresses.githubApi, '')}`)
        const isEndless = [...endless].some((path) => url.endsWith(path))
        const limited = isEndless ? { timeoutMs: endlessMs, ...options } : options
        const answer = await egress.request(url, limited)
        if (tokenMs === undefined || !url.endsWith('/access_tokens')) return answer
        const expiresAt = new Date(clock.now().getTime() + tokenMs)
        const stated: object = { ...JSON.parse(String(answer.body)), expires_at: expiresAt }
        return { ...answer, body: Buffer.from(JSON.stringify(stated)) }
      },
    },
    now: () => clock.now(),
  }
  const apiUrl = addresses.githubApi
  const app = { appId: String(github.app.id), privateKey: github.app.privateKey }
  const tokens = createInstallationTokens({ call, apiUrl, app })
  const options = {
    call,
    apiUrl,
    accountId,
    token: () => tokens.get(accountId),
    forgetToken: (refused: string) => tokens.forget(accountId, refused),
    memory: { answers: createAnswerCache(), budgets: createRateBudgets() },
    scopes,
  }
  return {
    sandbox,
    github,
    addresses,
    requests: createGithubRequests(options),
    /** Holds the ends of paths whose calls a test keeps from ending. All others have the time of the product. */
    endless,
    call,
    app,
    apiUrl,
    acme,
    ada,
    repository,
    repositoryId: String(repository.id),
    api: createGithubApi(options),
    /** Pushes commits to `main`, and answers the SHA of each. */
    push: (...messages: string[]) =>
      messages.map(
        (message) =>
          github.activity.push(repository, { ref: 'main', pusher: ada, commits: [{ message }] })
            .sha,
      ),
    /** Counts the tokens that were made. */
    minted: () => sent.filter((request) => request.includes('access_tokens')).length,
    /** Lists the other requests. Example: `GET /repositories/1/deployments?per_page=100&page=1`. */
    asked: () => sent.filter((request) => !request.includes('access_tokens')),
  }
}
