import { startSandbox, type Sandbox } from '@signalbox/sandbox'
import {
  connectAll,
  openOrganization,
  registerAt,
  sandboxVariables,
} from '../../packages/server/src/start/testing/connect-organization.ts'
import { openShop } from '../../packages/server/src/start/testing/play-push.ts'
import { openProofService, type ProofService } from './proof-service.ts'
import type { Inhabited } from './target.ts'

/** The service with the pretended providers, and nobody at work in it: what changes was asked for. */
export interface ProviderWorld {
  readonly proof: ProofService
  readonly sandbox: Sandbox
  /** Connects an organization to all three providers, in place of what it was seeded with. There is one account of each. */
  connect(organization: Inhabited): Promise<void>
  close(): Promise<void>
}

/** Starts both. */
export async function openProviderWorld(): Promise<ProviderWorld> {
  const sandbox = await startSandbox()
  const proof = await openProofService({
    env: { ...sandboxVariables(sandbox), SIGNALBOX_ROLES: 'api,delivery' },
  })
  const { apiUrl } = proof.current()
  await registerAt(sandbox, apiUrl)
  const { repository } = openShop(sandbox)
  return {
    proof,
    sandbox,
    async connect({ target: { org: orgId }, credentials: { owner } }) {
      await proof.asOwner('delete from integrations where org_id = $1', [orgId])
      const session = owner.headers['cookie'] ?? ''
      const organization = openOrganization({ apiUrl, orgId, session })
      await connectAll(organization)
      await proof.asOwner(
        `update repositories set external_id = $2, full_name = 'acme/shop' where org_id = $1`,
        [orgId, String(repository.id)],
      )
      const defaultChannelId = sandbox.slack.channelId('deployments')
      await organization.ask('PATCH /integrations/chat', { defaultChannelId })
    },
    async close() {
      await proof.close()
      await sandbox.close()
    },
  }
}
