import { initial } from './0001-0009/0001-spine.ts'
import { integrations } from './0001-0009/0002-integrations.ts'
import { failedJobRecords } from './0001-0009/0003-dead-jobs.ts'
import { dispatches } from './0001-0009/0004-dispatches.ts'
import { keyTexts } from './0001-0009/0005-key-texts.ts'
import { webhookPacking } from './0001-0009/0006-webhook-packing.ts'
import { messageUrls } from './0001-0009/0007-message-urls.ts'
import { flagRules } from './0001-0009/0008-flag-rules.ts'
import { people } from './0001-0009/0009-people.ts'
import { signIn } from './0010-0019/0010-sign-in.ts'
import { configChanges } from './0010-0019/0011-config-changes.ts'
import { dashboard } from './0010-0019/0012-dashboard.ts'
import { messageIds } from './0010-0019/0013-message-ids.ts'
import { providersOfRegistry } from './0010-0019/0014-providers-of-registry.ts'
import { failedJobs } from './0010-0019/0015-failed-jobs.ts'
import { nodes } from './0010-0019/0016-nodes.ts'
import { deploymentIndexes } from './0010-0019/0017-deployment-indexes.ts'
import { changes } from './0010-0019/0018-changes.ts'
import { deliveredMessages } from './0010-0019/0019-delivered-messages.ts'
import { auditSearch } from './0020-0029/0020-search-audit.ts'
import { deploymentWorkflows } from './0020-0029/0021-deployment-workflows.ts'
import { segments } from './0020-0029/0022-segments.ts'
import { deliveryFigures } from './0020-0029/0023-delivery-figures.ts'
import { deploymentChains } from './0020-0029/0024-deployment-chains.ts'
import { serviceAccounts } from './0020-0029/0025-service-accounts.ts'
import { outgoingWebhooks } from './0020-0029/0026-outgoing-webhooks.ts'
import { agentTokens } from './0020-0029/0027-agent-tokens.ts'
import { oauth } from './0020-0029/0028-oauth.ts'
import { targets } from './0020-0029/0029-targets.ts'
import { auditOutlets } from './0030-audit-outlets.ts'
import { postsThatMayHaveArrived } from './0031-posts-that-may-have-arrived.ts'
import { connectionWebhooks } from './0032-connection-webhooks.ts'
import { issueTrackers } from './0034-issue-trackers.ts'
import { lostRenewals } from './0035-lost-renewals.ts'
import { webhookLeases } from './0036-webhook-leases.ts'
import { revisionsOfApiKeys } from './0037-revisions-of-api-keys.ts'
import { reportsOfCodeHosts } from './0042-reports-of-code-hosts.ts'
import { publisherKeys } from './0040-publisher-keys.ts'
import { relayKeys } from './0041-relay-keys.ts'
import { deliveryNodes } from './0043-delivery-nodes.ts'
import { replicaPublication } from './0044-replica-publication.ts'
import type { Migration } from './migration.ts'
import { failedDeployments } from './0045-failed-deployments.ts'
import { syncsOfIssues } from './0046-syncs-of-issues.ts'
import { oldTestResultIndexes, oldTestResults } from './0047-old-test-results.ts'
import { partitions } from './0048-partitions.ts'
import { firstWebhooks, receivedWebhookIds, receivedWebhooks } from './0049-received-webhooks.ts'
import { reportNotes } from './0053-report-notes.ts'
import { rightsOfCredentials } from './0059-rights-of-credentials.ts'
import { keepersOfTargets } from './0060-keepers-of-targets.ts'
import { believedTime } from './0063-believed-time.ts'
import { momentsOfSteps } from './0064-moments-of-steps.ts'
import { testRunsOfARepository } from './0065-test-runs-of-a-repository.ts'
import { makers } from './0066-makers.ts'
import { lostVersions } from './0067-lost-versions.ts'
import { deploymentJobs } from './0068-deployment-jobs.ts'
import { statusesOfJobs } from './0069-statuses-of-jobs.ts'

/** Lists every migration in the order they run. */
export const migrations: readonly Migration[] = [
  initial,
  integrations,
  failedJobRecords,
  dispatches,
  keyTexts,
  webhookPacking,
  messageUrls,
  flagRules,
  people,
  signIn,
  configChanges,
  dashboard,
  messageIds,
  providersOfRegistry,
  failedJobs,
  nodes,
  deploymentIndexes,
  changes,
  deliveredMessages,
  auditSearch,
  deploymentWorkflows,
  segments,
  deliveryFigures,
  deploymentChains,
  serviceAccounts,
  outgoingWebhooks,
  agentTokens,
  oauth,
  targets,
  auditOutlets,
  postsThatMayHaveArrived,
  connectionWebhooks,
  issueTrackers,
  lostRenewals,
  webhookLeases,
  revisionsOfApiKeys,
  publisherKeys,
  relayKeys,
  reportsOfCodeHosts,
  deliveryNodes,
  replicaPublication,
  failedDeployments,
  syncsOfIssues,
  oldTestResults,
  oldTestResultIndexes,
  partitions,
  receivedWebhooks,
  receivedWebhookIds,
  firstWebhooks,
  reportNotes,
  rightsOfCredentials,
  keepersOfTargets,
  believedTime,
  momentsOfSteps,
  testRunsOfARepository,
  makers,
  lostVersions,
  deploymentJobs,
  statusesOfJobs,
]
