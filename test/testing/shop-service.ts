import { startSandbox, type Sandbox } from '@signalbox/sandbox'
import {
  connectAll,
  registerAt,
  sandboxVariables,
  setUpOrganization,
  slackWithHistory,
  type ConnectedOrganization,
} from '../../packages/server/src/start/testing/connect-organization.ts'
import { openShop, type Shop } from '../../packages/server/src/start/testing/play-push.ts'
import { findFreePort } from './network/ports.ts'
import { openProofService, type OpenProofService, type ProofService } from './proof-service.ts'

/** The service as a process that may be killed, connected to the sandbox, which is not. */
export interface ShopService {
  readonly proof: ProofService
  readonly sandbox: Sandbox
  readonly shop: Shop
  readonly organization: ConnectedOrganization
  /** Returns the messages of the channel for deployments, as text. */
  messages(): readonly string[]
  close(): Promise<void>
}

/** Starts both and connects them: messages go to #deployments, and `e2e.yml` tests what is deployed. */
export async function openShopService({
  entry,
}: Pick<OpenProofService, 'entry'> = {}): Promise<ShopService> {
  const sandbox = await startSandbox()
  // Webhooks come to the same address after each kill.
  const port = await findFreePort()
  const proof = await openProofService({
    env: { ...sandboxVariables(sandbox), SIGNALBOX_API_PORT: String(port) },
    ...(entry !== undefined && { entry }),
  })
  const { apiUrl, setupUrl } = proof.current()
  await registerAt(sandbox, apiUrl)
  const shop = openShop(sandbox)
  const organization = await setUpOrganization(apiUrl, setupUrl)
  await connectAll(organization, { chat: slackWithHistory })
  await organization.ask('PATCH /integrations/chat', {
    defaultChannelId: sandbox.slack.channelId('deployments'),
  })
  await organization.ask('PATCH /integrations/codehost', {
    testWorkflows: [{ workflowId: 'e2e.yml', debounceSeconds: 0 }],
  })
  return {
    proof,
    sandbox,
    shop,
    organization,
    messages: () => sandbox.slack.messages('deployments').map((one) => JSON.stringify(one)),
    async close() {
      await proof.close()
      await sandbox.close()
    },
  }
}
