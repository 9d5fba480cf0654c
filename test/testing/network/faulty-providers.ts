import { startSandbox } from '@signalbox/sandbox'
import {
  connectAll,
  registerAt,
  sandboxVariables,
  setUpOrganization,
  slackWithHistory,
  type ConnectedOrganization,
} from '../../../packages/server/src/start/testing/connect-organization.ts'
import { openShop, type Shop } from '../../../packages/server/src/start/testing/play-push.ts'
import { openFaultProxy, type FaultProxy } from './fault-proxy.ts'
import { openProofService, type ProofService } from '../proof-service.ts'

/** The service as a process, connected to providers whose every answer a test can spoil. */
export interface FaultyProviders {
  readonly proxy: FaultProxy
  readonly proof: ProofService
  readonly shop: Shop
  readonly organization: ConnectedOrganization
  /** Returns whether the deployment of a commit has one message, with all that belongs in it. */
  readonly isRight: (sha: string) => boolean
  close(): Promise<void>
}

/** Starts all of it; messages go to #deployments. */
export async function openFaultyProviders(): Promise<FaultyProviders> {
  const sandbox = await startSandbox()
  const proxy = await openFaultProxy(new URL(sandbox.addresses.githubApi).origin)
  const through = (address: string) => `${proxy.origin}${new URL(address).pathname}`
  const proof = await openProofService({
    env: {
      ...sandboxVariables(sandbox),
      SIGNALBOX_GITHUB_API_URL: through(sandbox.addresses.githubApi),
      SIGNALBOX_JIRA_API_URL: through(sandbox.addresses.jiraApi),
      SIGNALBOX_SLACK_API_URL: through(sandbox.addresses.slackApi),
    },
  })
  const { apiUrl, setupUrl } = proof.current()
  await registerAt(sandbox, apiUrl)
  const shop = openShop(sandbox)
  const organization = await setUpOrganization(apiUrl, setupUrl)
  await connectAll(organization, { chat: slackWithHistory })
  await organization.ask('PATCH /integrations/chat', {
    defaultChannelId: sandbox.slack.channelId('deployments'),
  })
  return {
    proxy,
    proof,
    shop,
    organization,
    isRight(sha) {
      const [text = '', ...more] = sandbox.slack
        .messages('deployments')
        .map((message) => JSON.stringify(message))
        .filter((each) => each.includes(`\`${sha.slice(0, 8)}\` · by ada`))
      return more.length === 0 && text.includes('The basket forgets its currency')
    },
    async close() {
      await proof.close()
      await proxy.close()
      await sandbox.close()
    },
  }
}
