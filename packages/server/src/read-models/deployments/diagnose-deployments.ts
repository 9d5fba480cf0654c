import { toHref } from '@signalbox/contract'
import type { Diagnosis } from '@signalbox/contract/rest'
import { connectorToShow, type ConnectorOf } from '../../integrations/connect/connectors.ts'
import type { Integration } from '../../integrations/integration.ts'
import { findIntegrationRow } from '../../integrations/rows.ts'
import {
  choiceOfKind,
  displayNameOfKind,
  providersOfKind,
  subjectOfKind,
  titleOfKind,
} from '../../providers/find-provider.ts'
import type { CodehostProvider } from '../../providers/provider.ts'
import type { Scope } from '../../store/scope.ts'
import type { Store } from '../../store/store.ts'
import { findDiagnosisFacts, type DiagnosedHost, type DiagnosisFacts } from './diagnosis-rows.ts'

/** Describes what the diagnosis works with. */
export interface DiagnosisDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly connectorOf: ConnectorOf
  readonly now: () => Date
}

type Check = Diagnosis['checks'][number]

/** Describes each step from the code host to the list of deployments, as far as it is known. */
export interface DiagnosisView extends DiagnosisFacts {
  readonly isSetUp: boolean
  /** Names the code host that is set up on this server, where it is the only one. */
  readonly onlySetUp?: string | undefined
  readonly codehost: Pick<Integration, 'state' | 'lastError' | 'provider'> | undefined
}

/** Checks everything that may keep deployments from being listed. */
export async function diagnoseDeployments(
  { store, connectorOf, now }: DiagnosisDeps,
  scope: Scope,
  orgId: string,
): Promise<Check[]> {
  return store.transaction(scope, async (tx) => {
    const codehost = await findIntegrationRow(tx, { orgId, kind: 'codehost' })
    const facts = await findDiagnosisFacts(tx, orgId, { host: hostOf(codehost), now: now() })
    const connector = connectorToShow(connectorOf, 'codehost', codehost)
    const [first, ...others] = providersOfKind('codehost').filter(
      ({ name }) => connectorOf('codehost', name) !== undefined,
    )
    const onlySetUp = others.length === 0 ? first?.name : undefined
    return listChecks({ ...facts, isSetUp: connector !== undefined, onlySetUp, codehost })
  })
}

function hostOf(codehost: Pick<Integration, 'provider'> | undefined): DiagnosedHost | undefined {
  const provider = findCodehost(codehost?.provider)
  if (provider === undefined) return undefined
  const { name, deployments } = provider
  return {
    provider: name,
    deploymentEvents: deployments?.events ?? [],
    isReported: deployments === undefined,
  }
}

function findCodehost(name: string | undefined): CodehostProvider | undefined {
  return providersOfKind('codehost').find((provider) => provider.name === name)
}

/** Returns the code host that is meant; `undefined` where none is connected, and it may become one of several. */
function providerOf({ codehost, onlySetUp }: DiagnosisView): string | undefined {
  return codehost === undefined || codehost.state === 'disconnected' ? onlySetUp : codehost.provider
}

interface Rule {
  readonly code: Check['code']
  readonly title: string
  /** Returns what is wrong; `undefined` where nothing is. */
  readonly findError: (view: DiagnosisView) => string | undefined
  /** Says how it is where nothing is wrong. */
  readonly describe: (view: DiagnosisView) => string
  readonly next: Check['next']
  /** The checks after it can be made although this one fails. */
  readonly isOnWay: boolean
}

const codehostPage = toHref({ page: 'integration', params: { kind: 'codehost' } })

/** Lists the rules in the order of the way. `provider`: the code host of the organization; left out, it has none. */
function listRules(provider: string | undefined): readonly Rule[] {
  return [...listConnectionRules(provider), ...listEventRules(provider)]
}

function listConnectionRules(provider: string | undefined): readonly Rule[] {
  const host = displayNameOfKind('codehost', provider)
  const subject = subjectOfKind('codehost', provider)
  const title = provider === undefined ? titleOfKind('codehost') : host
  const choice = provider === undefined ? choiceOfKind('codehost') : host
  return [
    {
      code: 'not_set_up',
      title: `${title} set up`,
      findError: ({ isSetUp }) =>
        isSetUp ? undefined : `An operator of this server needs to set up ${choice} first.`,
      describe: () =>
        provider === undefined
          ? 'This server can connect several code hosts.'
          : `This server has an application at ${host}.`,
      next: { label: `Set up ${choice}`, href: codehostPage },
      isOnWay: false,
    },
    {
      code: 'not_connected',
      title: `${title} connected`,
      findError: ({ codehost }) =>
        codehost === undefined || codehost.state === 'pending'
          ? `${subject} isn’t connected to this organization.`
          : undefined,
      describe: () => `${subject} is connected to this organization.`,
      next: { label: `Connect ${choice}`, href: codehostPage },
      isOnWay: false,
    },
    {
      code: 'needs_attention',
      title: 'Connection working',
      findError: ({ codehost }) =>
        codehost?.state === 'reauth_required' || codehost?.state === 'suspended'
          ? (codehost.lastError?.detail ?? `${subject} revoked access or suspended the app.`)
          : undefined,
      describe: () => `${subject} answers requests.`,
      next: { label: 'Connect again', href: codehostPage },
      isOnWay: false,
    },
    {
      code: 'no_repositories',
      title: 'Repositories tracked',
      findError: ({ repositories, trackedRepositories }) => {
        if (repositories === 0) return `The app has access to no repository.`
        return trackedRepositories === 0 ? 'No repository is tracked.' : undefined
      },
      describe: ({ trackedRepositories, repositories }) =>
        `Tracked: ${trackedRepositories} of ${repositories}.`,
      next: { label: 'Choose repositories', href: codehostPage },
      isOnWay: false,
    },
  ]
}

/** Checks that pipelines report deployments, at a host that has none itself. */
function reportRule(host: string): Rule {
  return {
    code: 'no_events',
    title: 'Deployments reported',
    findError: ({ lastReportedAt }) =>
      lastReportedAt === null
        ? `${host} has no deployments, so your pipelines report them, and none has in 30 days. Add \`signalbox deployments report\` to the pipeline that deploys.`
        : undefined,
    describe: () => 'Pipelines report deployments.',
    next: { label: 'Show the code host', href: codehostPage },
    isOnWay: true,
  }
}

function eventRule(host: string): Rule {
  return {
    code: 'no_events',
    title: 'Deployment events received',
    findError: ({ lastEventAt, lastDeploymentEventAt }) => {
      if (lastEventAt === null)
        return `No webhook from ${host} in 30 days. ${host} may not reach this server.`
      return lastDeploymentEventAt === null
        ? 'Webhooks arrive, but none about deployments. Nothing was deployed, or the app lacks the deployment events.'
        : undefined
    },
    describe: () => 'Webhooks about deployments arrive.',
    next: { label: 'Sync now', href: codehostPage },
    isOnWay: true,
  }
}

function listEventRules(provider: string | undefined): readonly Rule[] {
  const host = displayNameOfKind('codehost', provider)
  const codehost = findCodehost(provider)
  const isReported = codehost !== undefined && codehost.deployments === undefined
  return [
    isReported ? reportRule(host) : eventRule(host),
    {
      code: 'webhooks_failing',
      title: 'Webhooks processed',
      findError: ({ failedWebhooks, failureReason }) =>
        failedWebhooks === 0
          ? undefined
          : `${failedWebhooks} permanently failed in 7 days. ${failureReason ?? ''}`.trim(),
      describe: () => 'No webhook permanently failed in 7 days.',
      next: {
        label: 'Show the webhooks',
        href: toHref({ page: 'webhooks', search: { state: 'dead' } }),
      },
      isOnWay: true,
    },
    {
      code: 'environments_ignored',
      title: 'Environments mapped',
      findError: ({ environments, ignoredEnvironments }) =>
        environments > 0 && ignoredEnvironments === environments
          ? `The mapping rules ignore every environment of ${host}.`
          : undefined,
      describe: ({ environments, ignoredEnvironments }) =>
        `Used: ${environments - ignoredEnvironments} of ${environments}.`,
      next: { label: 'Change the mapping', href: codehostPage },
      isOnWay: true,
    },
    {
      code: 'sync_failed',
      title: 'Last sync succeeded',
      findError: ({ lastSyncState, lastSyncDetail }) =>
        lastSyncState === 'failed' ? (lastSyncDetail ?? 'The last sync failed.') : undefined,
      describe: ({ lastSyncState }) =>
        lastSyncState === null ? 'No sync has run yet.' : 'The last sync finished without errors.',
      next: { label: 'Sync again', href: codehostPage },
      isOnWay: true,
    },
  ]
}

/** Returns the checks in their order. One that cannot be made before another is mended says so. */
export function listChecks(view: DiagnosisView): Check[] {
  let isBlocked = false
  return listRules(providerOf(view)).map(({ code, title, findError, describe, next, isOnWay }) => {
    if (isBlocked) {
      return {
        code,
        title,
        state: 'unknown',
        detail: 'Checked once the problem above is fixed.',
        next: null,
      }
    }
    const error = findError(view)
    if (error === undefined) return { code, title, state: 'ok', detail: describe(view), next: null }
    isBlocked = !isOnWay
    return { code, title, state: 'problem', detail: error, next }
  })
}
