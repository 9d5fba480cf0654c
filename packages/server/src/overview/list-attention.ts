import type { Attention, NextStep } from '@signalbox/contract/rest'
import { attentionOfIntegration, countMessages, nameChannel } from './attention-of-integration.ts'
import { attentionOfApprovals, attentionOfReplacedApprovers } from './attention-of-approvals.ts'
import { attentionOfDomain } from './attention-of-domain.ts'
import { attentionOfDefaults } from './attention-of-defaults.ts'
import { attentionOfDueSecrets } from './attention-of-due-secrets.ts'
import { attentionOfMissingKeys } from './attention-of-missing-keys.ts'
import { attentionOfOpenEnd, attentionOfSilentSignal } from './attention-of-proofs.ts'
import { attentionOfRequests } from './attention-of-requests.ts'
import { attentionOfOutlet } from './attention-of-outlet.ts'
import { attentionOfWebhook } from './attention-of-webhook.ts'
import { attentionOfOverdueFlags } from './attention-of-overdue-flags.ts'
import { attentionOfGate } from './attention-of-gates.ts'
import { explainRouteHealth } from '../read-models/notifications/explain-route-health.ts'
import { noChannelReason, unknownReason } from '../read-models/notifications/message-reasons.ts'
import { displayNameOfKind, subjectOfKind } from '../providers/find-provider.ts'
import { integrationPage, next, type AttentionItem } from './dashboard-steps.ts'
import type { OverviewView } from './get-overview.ts'
import type {
  EndingKey,
  EnvironmentStatus,
  PlacedDeployment,
  PlacedTestRun,
  Failures,
  WaitingMessages,
} from '../read-models/overview/overview-rows.ts'
import { toHref } from '@signalbox/contract'
import type { FailingTarget } from '../read-models/overview/failing-target-rows.ts'

const shownMax = 50

/** Lists what needs a person, each with its next step: errors first, then the newest; 50 at most. */
export function listAttention(view: OverviewView): Attention[] {
  const { environments, configs, integrations, messages, failures } = view
  const { webhooks, destinations, keys, outlets, domains, approvers, requests, now } = view
  const { openEnds, signals, gates } = view
  const guarded = environments.filter(({ approvals }) => approvals > 0)
  const chat = integrations.find(({ kind }) => kind === 'chat')
  // Messages that wait for the chat have its cause, and are mended with it.
  const isBlocked = chat?.state === 'reauth_required' || chat?.state === 'suspended'
  const held = isBlocked ? messages.filter(({ state }) => state === 'held') : []
  return [
    ...integrations.flatMap((integration) =>
      attentionOfIntegration(integration, now, integration === chat ? held : []),
    ),
    ...messages
      .filter((each) => !held.includes(each))
      .map((each) => ofMessages(each, chat?.provider ?? null)),
    ...attentionOfApprovals(guarded, { approvers, now }),
    ...attentionOfReplacedApprovers(environments, now),
    ...attentionOfMissingKeys(environments, configs.environments),
    ...attentionOfDefaults(configs.defaultsOfNothing),
    ...attentionOfOverdueFlags(configs.ending, now),
    ...attentionOfDueSecrets(configs.secrets, now),
    ...attentionOfRequests(requests),
    ...gates.map(attentionOfGate),
    ...openEnds.map(attentionOfOpenEnd),
    ...signals.map(attentionOfSilentSignal),
    ...listTested(view).flatMap(ofTests),
    ...ofFailures(failures, integrations.find(({ kind }) => kind === 'codehost')?.provider),
    ...outlets.map(attentionOfOutlet),
    ...webhooks.map(attentionOfWebhook),
    ...destinations.map(attentionOfTarget),
    ...domains.map((domain) => attentionOfDomain(domain, now)),
    ...keys.map((key) => ofKey(key, now)),
  ]
    .toSorted(compareUrgency)
    .slice(0, shownMax)
    .map((item) => ({ around: aroundMoment(item), ...item }))
}

function compareUrgency(one: AttentionItem, other: AttentionItem): number {
  if (one.severity !== other.severity) return one.severity === 'error' ? -1 : 1
  return (other.at ?? '').localeCompare(one.at ?? '')
}

/** Lists the codes of failures that a change in any environment may have caused. */
const mayHaveCause: ReadonlySet<Attention['code']> = new Set([
  'integration_attention',
  'message_failed',
  'webhooks_failed',
  'target_failing',
  'failed_jobs',
  'sync_failed',
])

function aroundMoment({ code, at }: AttentionItem): NextStep | null {
  if (at === null || !mayHaveCause.has(code)) return null
  return next('Around this moment', { page: 'timeline', search: { at } })
}

function ofMessages(waiting: WaitingMessages, provider: string | null): AttentionItem {
  const { channelName, count, newestSubjectId, at } = waiting
  return {
    severity: 'error',
    code: 'message_failed',
    subjectId: newestSubjectId,
    title: `${countMessages(count)} couldn’t be sent to ${nameChannel(channelName)}`,
    at: at.toISOString(),
    ...explainMessages(waiting, provider),
  }
}

function explainMessages(
  { state, reason, routeId, newestSubjectId }: WaitingMessages,
  provider: string | null,
): Pick<AttentionItem, 'detail' | 'next'> {
  const channels = routeId === '' ? integrationPage('chat') : ({ page: 'notifications' } as const)
  if (state === 'held' && reason === noChannelReason)
    return { detail: 'No channel is chosen.', next: next('Choose a channel', channels) }
  const name = subjectOfKind('chat', provider)
  if (state === 'held') {
    return {
      detail: `${name} isn’t accepting messages from this organization.`,
      next: next('Connect again', integrationPage('chat')),
    }
  }
  const explained = explainRouteHealth(provider, reason)
  return {
    detail: `${explained.reason ?? `${name} refused them.`} ${explained.nextStep ?? ''}`.trim(),
    next:
      reason === unknownReason && newestSubjectId.startsWith('dep_')
        ? next('Open', { page: 'deployment', params: { deploymentId: newestSubjectId } })
        : next('Fix', channels),
  }
}

const badRuns: ReadonlySet<string> = new Set(['failed', 'errored', 'timed_out'])

/** Describes a deployment with its newest test run. */
interface Tested {
  readonly environment: Pick<EnvironmentStatus, 'id' | 'name'>
  readonly deployment: PlacedDeployment
  readonly tests: PlacedTestRun
}

/** Lists what is live of each repository in each environment, and the newest of each environment, once each. */
function listTested({ environments, targets }: OverviewView): Tested[] {
  const tested = new Map<string, Tested>()
  const add = (
    environment: Tested['environment'] | undefined,
    deployment: PlacedDeployment | null,
    tests: PlacedTestRun | null,
  ) => {
    if (environment === undefined || deployment === null || tests === null) return
    tested.set(deployment.id, { environment, deployment, tests })
  }
  const byId = new Map(environments.map((environment) => [environment.id, environment]))
  for (const { environmentId, live, latest, tests } of targets)
    add(byId.get(environmentId), live ?? latest, tests)
  for (const environment of environments) add(environment, environment.latest, environment.tests)
  return [...tested.values()]
}

function ofTests({ environment, deployment, tests }: Tested): AttentionItem[] {
  const { id, name } = environment
  const { contaminated, failed, state } = tests
  const at = new Date(tests.at).toISOString()
  const common = {
    subjectId: deployment.id,
    at,
    next: next('Open', { page: 'deployment', params: { deploymentId: deployment.id } }),
    around: next('Around this moment', {
      page: 'timeline',
      search: { environment: id, at, mark: deployment.id },
    }),
  }
  const attentions: AttentionItem[] = []
  if (badRuns.has(state)) {
    const title = `Tests ${state === 'failed' ? 'failed' : 'did not finish'} in ${name}`
    const count = failed === null || failed === 0 ? '' : `${failed} failed. `
    const detail = `${count}Deployed: ${deployment.repository} ${deployment.sha.slice(0, 7)} on ${deployment.ref}.`
    attentions.push({ ...common, severity: 'error', code: 'tests_failed', title, detail })
  }
  if (contaminated) {
    const title = `Tests in ${name} are not conclusive`
    const detail = `Another deployment went live during the run for ${deployment.repository} ${deployment.sha.slice(0, 7)}. Run the tests again.`
    attentions.push({ ...common, severity: 'warning', code: 'tests_contaminated', title, detail })
  }
  return attentions
}

function ofFailures(failures: Failures, codehost: string | undefined): AttentionItem[] {
  const { failedWebhooks, webhookFailedAt, failedJobs, jobFailedAt } = failures
  const { failedSyncId, syncDetail, syncFailedAt } = failures
  const attentions: AttentionItem[] = []
  if (failedWebhooks > 0) {
    attentions.push({
      severity: 'warning',
      code: 'webhooks_failed',
      subjectId: null,
      title: `${countOf(failedWebhooks, 'webhook')} permanently failed`,
      detail: 'Deployments and other events of the last seven days may be missing.',
      at: webhookFailedAt?.toISOString() ?? null,
      next: next('Open', { page: 'webhooks', search: { state: 'dead' } }),
    })
  }
  if (failedJobs > 0) {
    attentions.push({
      severity: 'warning',
      code: 'failed_jobs',
      subjectId: null,
      title: `${countOf(failedJobs, 'job')} permanently failed`,
      detail: `Fix the cause, then run ${failedJobs === 1 ? 'it' : 'each one'} again.`,
      at: jobFailedAt?.toISOString() ?? null,
      next: next('Open', { page: 'webhooks' }),
    })
  }
  if (failedSyncId !== null) {
    attentions.push({
      severity: 'warning',
      code: 'sync_failed',
      subjectId: failedSyncId,
      title: `The last sync with ${displayNameOfKind('codehost', codehost)} failed`,
      detail: syncDetail ?? 'Start it again.',
      at: syncFailedAt?.toISOString() ?? null,
      next: next('Sync again', integrationPage('codehost')),
    })
  }
  return attentions
}

function countOf(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`
  return `${count >= 1_000 ? 'More than 1,000' : count} ${noun}s`
}

function ofKey({ id, name, expiresAt }: EndingKey, now: Date): AttentionItem {
  const isOver = expiresAt <= now
  const day = expiresAt.toISOString().slice(0, 10)
  return {
    severity: isOver ? 'error' : 'warning',
    code: 'key_expires',
    subjectId: id,
    title: isOver ? `The API key ${name} has expired` : `The API key ${name} expires on ${day}`,
    detail: isOver
      ? 'Signalbox refuses every request that uses it.'
      : 'Create a new key, replace this one wherever it is used, then revoke it.',
    at: isOver ? expiresAt.toISOString() : null,
    next: next('Open', { page: 'keys', search: { key: id } }),
  }
}

/** Returns what a person should know of a target that does not write. */
function attentionOfTarget(target: FailingTarget): AttentionItem {
  const { id, name, detail, step, failingSince } = target
  return {
    severity: 'error',
    code: 'target_failing',
    subjectId: id,
    title: `The target ${name} is failing`,
    detail: `${detail} ${step}`,
    at: failingSince.toISOString(),
    next: { label: 'Open', href: toHref({ page: 'targets', search: { target: id } }) },
  }
}
