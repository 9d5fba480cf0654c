import { openAssistants } from './overview/assistants/open-assistants.ts'
import { mountAudit } from './audit/routes.ts'
import { commitCheckQueues, openCommitChecks } from './commit-checks/open-commit-checks.ts'
import { createConfigDirectory } from './configs/environments/config-directory.ts'
import { openConfigs } from './configs/open-configs.ts'
import { createSignalReader } from './configs/signals/read-signal.ts'
import { requestQueues } from './configs/requests/jobs.ts'
import { dueSecretsQueue } from './configs/due-secrets/jobs.ts'
import { signingQueue } from './configs/signing/jobs.ts'
import { mountDashboard } from './dashboard/routes.ts'
import { createEgress, type Egress } from './egress/create-egress.ts'
import type { Delivery } from './delivery/delivery.ts'
import { describeReadiness } from './delivery/describe-readiness.ts'
import { deploymentQueues } from './deployments/jobs.ts'
import { listDeployed } from './deployments/reports/target-rows.ts'
import { openDeployments } from './deployments/open-deployments.ts'
import { gateQueues } from './gates/jobs.ts'
import { openGates, toGateDeps } from './gates/open-gates.ts'
import { openFailedJobs } from './failed-jobs/open-failed-jobs.ts'
import { checkReaders } from './identity/check-readers.ts'
import type { ApiKeyFeed } from './identity/key-cache/api-key-feed.ts'
import { identityQueues, openIdentity } from './identity/open-identity.ts'
import type { KeyAccess } from './identity/open-key-access.ts'
import type { People } from './identity/open-people.ts'
import { openInbox, type InboxPorts } from './inbox/open-inbox.ts'
import { healQueue, inboxQueue } from './inbox/queue.ts'
import { isChatConnected } from './integrations/chat-rows.ts'
import { integrationQueues } from './integrations/jobs.ts'
import { openIntegrations, type Integrations } from './integrations/open-integrations.ts'
import type { QueueDefinition } from './jobs/queue.ts'
import type { Feature, Kit } from './kit.ts'
import { openLive } from './live/open-live.ts'
import { describePublication, type Publication } from './nats/publication.ts'
import { notificationQueues } from './notifications/jobs.ts'
import { openNotifications } from './notifications/open-notifications.ts'
import { openAuditOutlets } from './operation/open-audit-outlets.ts'
import { openOperation } from './operation/open-operation.ts'
import { openOutgoingWebhooks } from './notifications/outgoing-webhooks/open-outgoing-webhooks.ts'
import { openOverview } from './overview/open-overview.ts'
import { listNewestDeployments, readDeployment } from './read-models/deployments/read-deployment.ts'
import { mountDeploymentViews } from './read-models/deployments/routes.ts'
import { openPreviews, previewQueues } from './previews/open-previews.ts'
import { countMade } from './read-models/identity/made-rows.ts'
import { mountMade } from './read-models/identity/routes.ts'
import { retentionQueues } from './retention/jobs.ts'
import { openRetention } from './retention/open-retention.ts'
import { mountIntegrationStatus } from './overview/status-routes.ts'
import { targetQueues } from './integrations/targets/jobs.ts'
import { openTargets } from './integrations/targets/open-targets.ts'
import { testRunQueues } from './test-runs/jobs.ts'
import { openTestRuns } from './test-runs/open-test-runs.ts'
import { openPipelineTokens } from './test-runs/reports/open-pipeline-tokens.ts'
import { proofTests } from './test-runs/runs/proof-tests.ts'
import { moveTestRuns } from './test-runs/runs/run-rows.ts'
import {
  createChatHandler,
  createCodehostHandler,
  createTrackerHandler,
} from './webhook-handlers.ts'

/** Lists the queues of every feature. */
export const queues: readonly QueueDefinition[] = [
  ...retentionQueues,
  ...identityQueues,
  signingQueue,
  dueSecretsQueue,
  ...requestQueues,
  ...integrationQueues,
  inboxQueue,
  healQueue,
  ...deploymentQueues,
  ...testRunQueues,
  ...commitCheckQueues,
  ...gateQueues,
  ...previewQueues,
  ...notificationQueues,
  ...targetQueues,
]

/** Holds what a process opens before its features: the check of credentials, and the delivery where it has that role. */
export interface OpenedBefore {
  readonly people: People
  readonly keyAccess: KeyAccess
  readonly keyFeed: ApiKeyFeed
  readonly delivery: Delivery | undefined
  /** Returns where applications read their configuration. */
  readonly configUrl: () => string
  /** Describes how this process publishes to NATS; undefined in one that does not. */
  readonly publication: (() => Publication) | undefined
}

/** Opens the features of the service in order: each receives what it needs of those before it. */
export async function openFeatures(kit: Kit, before: OpenedBefore): Promise<readonly Feature[]> {
  const { store, now } = kit
  const { people, keyAccess, keyFeed, delivery, configUrl, publication } = before
  const integrations = await openIntegrations(kit, people)
  const { connectorOf, contextOf, egress, serverKeys } = integrations
  const { openCodehost, openTracker, openTarget, chat } = integrations
  const { authenticate, resolveOrganization, findOrganizationId } = people
  // A way out of its own: whom an operator allows for the providers, no member may reach.
  const memberEgress = createEgress({ allow: kit.settings.egressAllowMembers })
  kit.closing.push(() => memberEgress.close())
  const audience = kit.publicUrl
  const pipelineTokens = openPipelineTokens({ contextOf, audience, egress, now })
  const senders = { authenticate, resolveOrganization, findOrganizationId, pipelineTokens }
  const live = openLive(kit, { check: (readers) => checkReaders({ store, now }, readers) })
  const configs = openConfigs(kit, createConfigPorts(people, memberEgress, now))
  return [
    openOperation(kit, {
      configUrl,
      areKeysLoaded: () => keyFeed.isLoaded(),
      delivery: delivery && (() => describeReadiness(delivery.status(), now())),
      publication: publication && ((audience) => describePublication(publication(), audience)),
    }),
    { mount: mountDashboard },
    openIdentity(kit, {
      people,
      keyAccess,
      keyFeed,
      configUrl,
      egress,
      memberEgress,
      serverKeys,
      configs: createConfigDirectory({ now }),
      livePosition: live.position,
      countMade: (tx, orgId, userId) => countMade(tx, orgId, { userId, now: now() }),
    }),
    configs,
    integrations,
    { mount: (router) => mountIntegrationStatus(router, { store, connectorOf }) },
    openInbox(kit, { contextOf, ...createHandlers(kit, integrations) }),
    openDeployments(kit, { openCodehost, openTracker, connectorOf, readDeployment, moveTestRuns }),
    { mount: (router) => mountDeploymentViews(router, { store, connectorOf, now }) },
    openTestRuns(kit, { ...senders, openCodehost }),
    openCommitChecks(kit, { ...senders, openCodehost }),
    openGates(kit, { ...senders, openCodehost }),
    openPreviews(kit, { ...senders, openCodehost, configs: configs.deps }),
    openNotifications(kit, { chat, connectorOf, listNewestDeployments }),
    openOutgoingWebhooks(kit, { egress: memberEgress }),
    openTargets(kit, { openTarget, contextOf }),
    openFailedJobs(kit),
    live,
    openOverview(kit, configs),
    openAssistants(kit, people),
    { mount: (router) => mountMade(router, { store, now }) },
    { mount: (router) => mountAudit(router, { store, now }) },
    openAuditOutlets(kit),
    openRetention(kit),
  ]
}

/** Returns what configuration needs of the features after it. */
function createConfigPorts(
  { uses }: People,
  egress: Egress,
  now: () => Date,
): Parameters<typeof openConfigs>[1] {
  return {
    isChatConnected,
    noteSecretRead: uses.recordSecretRead,
    egress,
    proofPorts: { proofTests, listDeployed },
    signalReader: createSignalReader({ egress, now }),
  }
}

function createHandlers(
  kit: Kit,
  { connectorOf, egress, openCodehost, openTracker, chat }: Integrations,
): Pick<InboxPorts, 'codehost' | 'chat' | 'tracker'> {
  return {
    codehost: createCodehostHandler({
      ...kit,
      connectorOf,
      openCodehost,
      gates: toGateDeps(kit, { openCodehost }),
      moveTestRuns,
      deploymentsKeptMs: kit.settings.keptFor.deploymentsMs,
    }),
    chat: createChatHandler({ ...kit, chat, egress }),
    tracker: createTrackerHandler({ ...kit, connectorOf, openTracker }),
  }
}
