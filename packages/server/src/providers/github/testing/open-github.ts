import { startSandbox } from '@signalbox/sandbox'
import { onTestFinished } from 'vitest'
import { createEgress } from '../../../egress/create-egress.ts'
import type { ProviderCall } from '../../call-provider.ts'
import { createAnswerCache } from '../answer-cache.ts'
import { createGithubApi } from '../api.ts'
import { createInstallationTokens } from '../installation-tokens.ts'
import { createRateBudgets } from '../rate-budgets.ts'

/** Calls end soon, so that a test of one that never ends does. */
const timeoutMs = 400

/** A sandbox with the repository `acme/shop`, and the adapter over its installation. Both end with the test. */
export async function openGithub() {
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
  const call: ProviderCall = {
    provider: 'github',
    egress: {
      request(url, options) {
        sent.push(`${options?.method ?? 'GET'} ${url.replace(addresses.githubApi, '')}`)
        return egress.request(url, { timeoutMs, ...options })
      },
    },
    now: () => clock.now(),
  }
  const apiUrl = addresses.githubApi
  const app = { appId: String(github.app.id), privateKey: github.app.privateKey }
  const tokens = createInstallationTokens({ call, apiUrl, app })
  return {
    sandbox,
    github,
    call,
    app,
    apiUrl,
    acme,
    ada,
    repository,
    repositoryId: String(repository.id),
    api: createGithubApi({
      call,
      apiUrl,
      accountId,
      token: () => tokens.get(accountId),
      forgetToken: () => tokens.forget(accountId),
      memory: { answers: createAnswerCache(), budgets: createRateBudgets() },
    }),
    /** Pushes commits to `main`, and answers the SHA of each. */
    push: (...messages: string[]) =>
      messages.map(
        (message) =>
          github.activity.push(repository, { ref: 'main', pusher: ada, commits: [{ message }] })
            .sha,
      ),
    /** What was sent to the API. Example: `GET /repositories/1/deployments?per_page=100&page=1`. */
    asked: () => sent.filter((request) => !request.includes('access_tokens')),
  }
}
