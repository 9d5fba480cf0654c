import { toHref } from '@signalbox/contract'
import type { Diagnosis } from '@signalbox/contract/rest'
import { connectorToShow, type ConnectorOf } from '../../integrations/connect/connectors.ts'
import type { Integration } from '../../integrations/integration.ts'
import { findIntegrationRow } from '../../integrations/rows.ts'
import { displayNameOfKind, providersOfKind } from '../../providers/find-provider.ts'
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
  readonly codehost: Pick<Integration, 'state' | 'lastError'> | undefined
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
    return listChecks({ ...facts, isSetUp: connector !== undefined, codehost })
  })
}

function hostOf(codehost: Pick<Integration, 'provider'> | undefined): DiagnosedHost | undefined {
  const provider = providersOfKind('codehost').find(({ name }) => name === codehost?.provider)
  return provider && { provider: provider.name, deploymentEvents: provider.deploymentEvents }
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

const host = displayNameOfKind('codehost')

const rules: readonly Rule[] = [
  {
    code: 'not_set_up',
    title: 'This server is registered at the code host',
    findError: ({ isSetUp }) =>
      isSetUp
        ? undefined
        : `Whoever runs this server has to register an application at ${host} first.`,
    describe: () => 'It has an application there.',
    next: { label: 'Register it', href: codehostPage },
    isOnWay: false,
  },
  {
    code: 'not_connected',
    title: 'The code host is connected',
    findError: ({ codehost }) =>
      codehost === undefined || codehost.state === 'pending' ? 'It is not connected.' : undefined,
    describe: () => 'It is connected.',
    next: { label: `Connect ${host}`, href: codehostPage },
    isOnWay: false,
  },
  {
    code: 'needs_attention',
    title: 'The connection works',
    findError: ({ codehost }) =>
      codehost?.state === 'reauth_required' || codehost?.state === 'suspended'
        ? (codehost.lastError?.detail ?? 'It no longer accepts our credentials, or is suspended.')
        : undefined,
    describe: () => 'Calls are answered.',
    next: { label: 'Reconnect', href: codehostPage },
    isOnWay: false,
  },
  {
    code: 'no_repositories',
    title: 'Repositories are tracked',
    findError: ({ repositories, trackedRepositories }) => {
      if (repositories === 0) return 'No repository was granted.'
      return trackedRepositories === 0 ? 'None of the repositories is tracked.' : undefined
    },
    describe: ({ trackedRepositories, repositories }) =>
      `${trackedRepositories} of ${repositories} are tracked.`,
    next: { label: 'Choose repositories', href: codehostPage },
    isOnWay: false,
  },
  {
    code: 'no_events',
    title: 'The code host reports deployments',
    findError: ({ lastEventAt, lastDeploymentEventAt }) => {
      if (lastEventAt === null)
        return 'No webhook arrived in thirty days. It may not reach this address.'
      return lastDeploymentEventAt === null
        ? 'Webhooks arrive, and none reports a deployment: nothing was deployed, or the app is not subscribed.'
        : undefined
    },
    describe: () => 'Webhooks about deployments arrive.',
    next: { label: 'Sync now', href: codehostPage },
    isOnWay: true,
  },
  {
    code: 'webhooks_failing',
    title: 'Webhooks are processed',
    findError: ({ failedWebhooks, failureReason }) =>
      failedWebhooks === 0
        ? undefined
        : `${failedWebhooks} failed for good in seven days. ${failureReason ?? ''}`.trim(),
    describe: () => 'None failed for good in seven days.',
    next: {
      label: 'Show the webhooks',
      href: toHref({ page: 'webhooks', search: { state: 'dead' } }),
    },
    isOnWay: true,
  },
  {
    code: 'environments_ignored',
    title: 'Its environments are not ignored',
    findError: ({ environments, ignoredEnvironments }) =>
      environments > 0 && ignoredEnvironments === environments
        ? 'The rules of this organization ignore every environment that it has.'
        : undefined,
    describe: ({ environments, ignoredEnvironments }) =>
      `${environments - ignoredEnvironments} of ${environments} count.`,
    next: { label: 'Change the mapping', href: codehostPage },
    isOnWay: true,
  },
  {
    code: 'sync_failed',
    title: 'The last sync went well',
    findError: ({ lastSyncState, lastSyncDetail }) =>
      lastSyncState === 'failed' ? (lastSyncDetail ?? 'It failed.') : undefined,
    describe: ({ lastSyncState }) => (lastSyncState === null ? 'There was none yet.' : 'It did.'),
    next: { label: 'Sync again', href: codehostPage },
    isOnWay: true,
  },
]

/** Returns the checks in their order. One that cannot be made before another is mended says so. */
export function listChecks(view: DiagnosisView): Check[] {
  let isBlocked = false
  return rules.map(({ code, title, findError, describe, next, isOnWay }) => {
    if (isBlocked) {
      return {
        code,
        title,
        state: 'unknown',
        detail: 'It is looked at once what is above is fixed.',
        next: null,
      }
    }
    const error = findError(view)
    if (error === undefined) return { code, title, state: 'ok', detail: describe(view), next: null }
    isBlocked = !isOnWay
    return { code, title, state: 'problem', detail: error, next }
  })
}
