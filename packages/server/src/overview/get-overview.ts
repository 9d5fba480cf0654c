import type { ConfigSummaries, ConfigSummarizer } from '../configs/summarize-configs.ts'
import { countApprovers } from '../identity/members/approvers.ts'
import type { Integration } from '../integrations/integration.ts'
import { listIntegrationRows } from '../integrations/rows.ts'
import {
  listMissingDomains,
  type MissingDomain,
} from '../read-models/overview/missing-domain-rows.ts'
import type { Scope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'
import {
  findSetupProgress,
  findFailures,
  listEndingKeys,
  listEnvironmentStatus,
  listFailingWebhooks,
  listWaitingMessages,
  type EndingKey,
  type EnvironmentStatus,
  type FailingWebhook,
  type SetupProgress,
  type Failures,
  type WaitingMessages,
} from '../read-models/overview/overview-rows.ts'

import {
  listFailingTargets,
  type FailingTarget,
} from '../read-models/overview/failing-target-rows.ts'
import {
  listFailingOutlets,
  type FailingOutlet,
} from '../read-models/overview/failing-outlet-rows.ts'
import {
  listOpenEnds,
  listSilentSignals,
  type OpenEnd,
  type SilentSignal,
} from '../read-models/overview/failed-proof-rows.ts'
import {
  listGateAttention,
  type GateAttention,
} from '../read-models/overview/gate-attention-rows.ts'
import { findAttentionRequests, type AttentionRequests } from './attention-of-requests.ts'
import { listLiveTargets, type LiveTarget } from '../read-models/overview/live-target-rows.ts'

/** Describes the dependencies of the overview endpoints. */
export interface OverviewDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly summarizer: ConfigSummarizer
  readonly now: () => Date
}

/** Holds everything that the front page is rendered from. */
export interface OverviewView {
  readonly environments: readonly EnvironmentStatus[]
  /** Of one repository more than are shown, where there are more. */
  readonly targets: readonly LiveTarget[]
  readonly configs: ConfigSummaries
  readonly integrations: readonly Integration[]
  readonly messages: readonly WaitingMessages[]
  readonly failures: Failures
  readonly webhooks: readonly FailingWebhook[]
  /** Lists where values are not written. */
  readonly destinations: readonly FailingTarget[]
  readonly keys: readonly EndingKey[]
  /** Empty but for an operator. */
  readonly outlets: readonly FailingOutlet[]
  /** Lists the e-mail domains whose record is gone. */
  readonly domains: readonly MissingDomain[]
  /** Counts the members who may approve, of each environment whose changes need approvals. */
  readonly approvers: ReadonlyMap<string, number>
  readonly requests: AttentionRequests
  /** Lists changes that are live and not proven. */
  readonly openEnds: readonly OpenEnd[]
  readonly signals: readonly SilentSignal[]
  /** Lists deployments that wait for people, and those that somebody has let go on. */
  readonly gates: readonly GateAttention[]
  readonly setup: SetupProgress
  readonly now: Date
}

const dayMs = 24 * 3600 * 1000
/** Leaves out failures that are older than a week. */
const recentMs = 7 * dayMs
/** Warns two weeks before an API key ends. */
const keyNoticeMs = 14 * dayMs
/** Lets people see a deployment that waits for them by themselves for so long. */
const gateNoticeMs = 15 * 60_000

/** Shows so many repositories. */
export const repositoriesMax = 100

/** Reads the front page of an organization, in twenty-three statements at most, whatever its size. */
export async function getOverview(
  { store, summarizer, now }: OverviewDeps,
  scope: Scope,
  orgId: string,
): Promise<OverviewView> {
  const moment = now()
  const since = new Date(moment.getTime() - recentMs)
  const until = new Date(moment.getTime() + keyNoticeMs)
  const read = await store.transaction(scope, async (tx) => {
    const [environments, targets, summaries, integrations, messages, ...rest] = await Promise.all([
      listEnvironmentStatus(tx, orgId),
      listLiveTargets(tx, orgId, repositoriesMax + 1),
      summarizer.read(tx, orgId),
      listIntegrationRows(tx, orgId),
      listWaitingMessages(tx, orgId, since),
      findFailures(tx, orgId, since),
      listFailingWebhooks(tx, orgId, since),
      listEndingKeys(tx, orgId, { from: since, until }),
      findSetupProgress(tx, orgId),
      listFailingTargets(tx, orgId),
      listFailingOutlets(tx, orgId, scope.userId ?? null),
      listMissingDomains(tx, orgId, since),
      findAttentionRequests(tx, orgId, scope.userId ?? undefined),
      listOpenEnds(tx, orgId, since),
      listSilentSignals(tx, orgId, moment),
      listGateAttention(tx, orgId, { since, until: new Date(moment.getTime() - gateNoticeMs) }),
    ])
    const [failures, webhooks, keys, setup, destinations, outlets, domains, requests, ...watch] =
      rest
    const [openEnds, signals, gates] = watch
    const guarded = environments.filter(({ approvals }) => approvals > 0)
    const approvers = await countApprovers(tx, orgId, guarded)
    const figures = { failures, webhooks, keys, setup, destinations, outlets, domains }
    const people = { approvers, requests, openEnds, signals, gates }
    return { environments, targets, summaries, integrations, messages, ...figures, ...people }
  })
  const { summaries, ...view } = read
  return { ...view, configs: await summaries(), now: moment }
}
