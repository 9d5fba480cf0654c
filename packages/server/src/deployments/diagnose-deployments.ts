import type { Diagnosis } from '@signalbox/contract/rest'
import type { Connector } from '../integrations/connector.ts'
import type { Integration } from '../integrations/integration.ts'
import { listIntegrationRows } from '../integrations/rows.ts'
import type { Scope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'
import { findDiagnosisFacts, type DiagnosisFacts } from './diagnosis-rows.ts'

export interface DiagnosisDeps {
  readonly store: Pick<Store, 'transaction'>
  /** `undefined`: this server has no application at the code host. */
  readonly connectorOf: (kind: 'codehost') => Connector | undefined
  readonly now: () => Date
}

type Check = Diagnosis['checks'][number]

/** What is known of the way from the code host to the list of deployments. */
export interface DiagnosisView extends DiagnosisFacts {
  readonly isSetUp: boolean
  readonly codehost: Pick<Integration, 'state' | 'lastError'> | undefined
}

/** Looks into everything that may keep deployments from being listed. */
export async function diagnoseDeployments(
  { store, connectorOf, now }: DiagnosisDeps,
  scope: Scope,
  orgId: string,
): Promise<Check[]> {
  return store.transaction(scope, async (tx) => {
    const [facts, integrations] = await Promise.all([
      findDiagnosisFacts(tx, orgId, now()),
      listIntegrationRows(tx, orgId),
    ])
    const codehost = integrations.find(
      ({ kind, state }) => kind === 'codehost' && state !== 'disconnected',
    )
    return listChecks({ ...facts, isSetUp: connectorOf('codehost') !== undefined, codehost })
  })
}

interface Rule {
  readonly code: Check['code']
  readonly title: string
  /** What is wrong, or `undefined`. */
  readonly fault: (view: DiagnosisView) => string | undefined
  /** What is said where nothing is wrong. */
  readonly fine: (view: DiagnosisView) => string
  readonly next: Check['next']
  /** Whether what comes after it can be looked into although this is wrong. */
  readonly isOnWay: boolean
}

const codehostPage = '/integrations/codehost'

const rules: readonly Rule[] = [
  {
    code: 'not_set_up',
    title: 'This server is registered at the code host',
    fault: ({ isSetUp }) =>
      isSetUp
        ? undefined
        : 'Whoever runs this server has to register an application at GitHub first.',
    fine: () => 'It has an application there.',
    next: { label: 'Register it', href: codehostPage },
    isOnWay: false,
  },
  {
    code: 'not_connected',
    title: 'The code host is connected',
    fault: ({ codehost }) =>
      codehost === undefined || codehost.state === 'pending' ? 'It is not connected.' : undefined,
    fine: () => 'It is connected.',
    next: { label: 'Connect GitHub', href: codehostPage },
    isOnWay: false,
  },
  {
    code: 'needs_attention',
    title: 'The connection works',
    fault: ({ codehost }) =>
      codehost?.state === 'reauth_required' || codehost?.state === 'suspended'
        ? (codehost.lastError?.detail ?? 'It no longer accepts our credentials, or is suspended.')
        : undefined,
    fine: () => 'Calls are answered.',
    next: { label: 'Reconnect', href: codehostPage },
    isOnWay: false,
  },
  {
    code: 'no_repositories',
    title: 'Repositories are tracked',
    fault: ({ repositories, trackedRepositories }) => {
      if (repositories === 0) return 'No repository was granted.'
      return trackedRepositories === 0 ? 'None of the repositories is tracked.' : undefined
    },
    fine: ({ trackedRepositories, repositories }) =>
      `${trackedRepositories} of ${repositories} are tracked.`,
    next: { label: 'Choose repositories', href: codehostPage },
    isOnWay: false,
  },
  {
    code: 'no_events',
    title: 'The code host reports deployments',
    fault: ({ lastEventAt, lastDeploymentEventAt }) => {
      if (lastEventAt === null)
        return 'No webhook arrived in thirty days. It may not reach this address.'
      return lastDeploymentEventAt === null
        ? 'Webhooks arrive, and none reports a deployment: nothing was deployed, or the app is not subscribed.'
        : undefined
    },
    fine: () => 'Webhooks about deployments arrive.',
    next: { label: 'Sync now', href: codehostPage },
    isOnWay: true,
  },
  {
    code: 'webhooks_failing',
    title: 'Webhooks are processed',
    fault: ({ failedWebhooks, failureReason }) =>
      failedWebhooks === 0
        ? undefined
        : `${failedWebhooks} failed for good in seven days. ${failureReason ?? ''}`.trim(),
    fine: () => 'None failed for good in seven days.',
    next: { label: 'Show the webhooks', href: '/webhooks?state=dead' },
    isOnWay: true,
  },
  {
    code: 'environments_ignored',
    title: 'Its environments are not ignored',
    fault: ({ environments, ignoredEnvironments }) =>
      environments > 0 && ignoredEnvironments === environments
        ? 'The rules of this organization ignore every environment that it has.'
        : undefined,
    fine: ({ environments, ignoredEnvironments }) =>
      `${environments - ignoredEnvironments} of ${environments} count.`,
    next: { label: 'Change the mapping', href: codehostPage },
    isOnWay: true,
  },
  {
    code: 'sync_failed',
    title: 'The last sync went well',
    fault: ({ lastSyncState, lastSyncDetail }) =>
      lastSyncState === 'failed' ? (lastSyncDetail ?? 'It failed.') : undefined,
    fine: ({ lastSyncState }) => (lastSyncState === null ? 'There was none yet.' : 'It did.'),
    next: { label: 'Sync again', href: codehostPage },
    isOnWay: true,
  },
]

/** The checks in their order. What cannot be known before one of them is mended is said to be so. */
export function listChecks(view: DiagnosisView): Check[] {
  let isBlocked = false
  return rules.map(({ code, title, fault, fine, next, isOnWay }) => {
    if (isBlocked) {
      return {
        code,
        title,
        state: 'unknown',
        detail: 'It is looked at once what is above is fixed.',
        next: null,
      }
    }
    const found = fault(view)
    if (found === undefined) return { code, title, state: 'ok', detail: fine(view), next: null }
    isBlocked = !isOnWay
    return { code, title, state: 'problem', detail: found, next }
  })
}
