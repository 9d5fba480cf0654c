import {
  browserSnapshotRetention,
  serverSnapshotRetention,
} from '../configs/publication/retention.ts'
import { checkRetention } from '../commit-checks/retention.ts'
import { pullRequestRetention } from '../deployments/pull-requests/retention.ts'
import { proofRetention } from '../configs/proofs/proof-rows.ts'
import { secretNoticeRetention } from '../configs/due-secrets/notice-rows.ts'
import { failedJobRetention } from '../failed-jobs/retention.ts'
import {
  agentCodeRetention,
  agentSecretRetention,
  apiKeySecretRetention,
  deviceRetention,
  invitationRetention,
  logoutTokenRetention,
  oidcAttemptRetention,
  secretReadRetention,
} from '../identity/retention.ts'
import { decisionRetention } from '../gates/decision-rows.ts'
import { webhookPartitions } from '../inbox/partitions.ts'
import { webhookRetention } from '../inbox/retention.ts'
import { oauthStateRetention } from '../integrations/connect/retention.ts'
import { notificationRetention } from '../notifications/retention.ts'
import { outgoingMessageRetention } from '../notifications/outgoing-webhooks/retention.ts'
import { previewRetention } from '../previews/retention.ts'
import { idempotencyRetention } from '../store/idempotency.ts'
import type { PartitionPlan } from '../store/partitions.ts'
import type { RetentionRule } from '../store/retention-rule.ts'

/** Lists the tables whose partitions are kept ahead of time, each as its owner divides it at a moment, with what is over by the believed time. */
export const partitionPlans: readonly ((now: Date, believed: Date | undefined) => PartitionPlan)[] =
  [webhookPartitions]

/** Lists what is forgotten after a time, each rule by the owner of its table. */
export const retentionRules: readonly RetentionRule[] = [
  idempotencyRetention,
  browserSnapshotRetention,
  serverSnapshotRetention,
  secretNoticeRetention,
  proofRetention,
  decisionRetention,
  checkRetention,
  pullRequestRetention,
  previewRetention,
  ...webhookRetention,
  oauthStateRetention,
  logoutTokenRetention,
  oidcAttemptRetention,
  deviceRetention,
  agentCodeRetention,
  agentSecretRetention,
  apiKeySecretRetention,
  secretReadRetention,
  invitationRetention,
  notificationRetention,
  outgoingMessageRetention,
  failedJobRetention,
]
