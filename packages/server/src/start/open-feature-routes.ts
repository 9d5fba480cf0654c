import { Problem } from '@signalbox/contract'
import type { AppDeps } from '../app.ts'
import { toAuthor } from '../audit/author.ts'
import { rereadQueue } from '../deployments/jobs.ts'
import { listNewestDeployments } from '../read-models/deployments/read-deployment.ts'
import type { Authenticate } from '../identity/authenticate.ts'
import { findMembership, findOrganizationByRef } from '../identity/organizations/rows.ts'
import { createBodyRoom } from '../inbox/body-room.ts'
import { createDeliveryStore } from '../inbox/store-deliveries.ts'
import type { ReturningMember } from '../integrations/connect/finish-authorization.ts'
import { providersOfKind } from '../providers/find-provider.ts'
import type { Tx } from '../store/store.ts'
import { createReportParser } from '../test-runs/reports/report-parser.ts'
import { createPipelineTokens } from '../test-runs/reports/verify-pipeline-token.ts'
import type { Features } from './open-features.ts'
import type { People } from './open-reading.ts'
import type { Resources } from './resources.ts'

export interface FeatureRoutesDeps extends Pick<
  AppDeps['router'],
  'resolveOrganization' | 'isOperator'
> {
  readonly features: Features
  readonly people: People
}

type FeatureRoutes = Pick<
  AppDeps,
  | 'integrations'
  | 'providerApps'
  | 'inbox'
  | 'deployments'
  | 'tracker'
  | 'testRuns'
  | 'notifications'
  | 'failedJobs'
>

/** What the addresses of the features work with. */
export function openFeatureRoutes(
  resources: Resources,
  { features, people, resolveOrganization, isOperator }: FeatureRoutesDeps,
): FeatureRoutes {
  const { store, now, settings, closing } = resources
  const { jobs, providers, integrations, deployments, testRuns, notifications } = features
  const { connectorOf, publicUrl, stateKey } = integrations
  const { authenticate } = people
  const reports = createReportParser()
  closing.push(() => reports.close())
  return {
    integrations: {
      ...integrations,
      isAdmin,
      findMember: (cookie) => findMember(authenticate, cookie),
    },
    providerApps: {
      store,
      keys: providers.serverKeys,
      feed: providers.feed,
      settings: settings.providers.applications,
      contextOf: providers.contextOf,
      stateKey,
      publicUrl,
      authenticate,
      isOperator,
      now,
    },
    inbox: openInbox(features, { store, now }),
    deployments: { ...deployments, connectorOf },
    tracker: {
      ...deployments,
      connectorOf,
      emit: features.emit,
      requestReread: (tx, of) => jobs.enqueue(tx, rereadQueue, of, { key: of.id }),
    },
    testRuns: {
      ...testRuns,
      reports,
      authenticate,
      resolveOrganization,
      openCodehost: deployments.openCodehost,
      findOrganizationId: (ref) =>
        store.maintenance(async (tx) => (await findOrganizationByRef(tx, ref))?.id),
      pipelineTokens: createPipelineTokens({
        issuers: providersOfKind('codehost').flatMap(
          ({ name, pipelineTokens }) => pipelineTokens?.(providers.contextOf(name)) ?? [],
        ),
        audience: publicUrl,
        egress: providers.egress,
        now,
      }),
    },
    notifications: { ...notifications, connectorOf, listNewestDeployments },
    failedJobs: { store, jobs, now },
  }
}

function openInbox(
  { jobs, providers: { contextOf } }: Features,
  { store, now }: Pick<Resources, 'store' | 'now'>,
): AppDeps['inbox'] {
  return {
    store,
    jobs,
    deliveries: createDeliveryStore({ store, jobs }),
    room: createBodyRoom(),
    secretsOf: (provider) => contextOf(provider).application()?.webhookSecrets ?? [],
    now,
  }
}

async function isAdmin(tx: Tx, orgId: string, userId: string): Promise<boolean> {
  const role = (await findMembership(tx, userId, orgId))?.role
  return role === 'owner' || role === 'admin'
}

/** Who is signed in to a browser; nobody, when its session is none or over. */
async function findMember(
  authenticate: Authenticate,
  cookie: string | undefined,
): Promise<ReturningMember | undefined> {
  try {
    const actor = await authenticate({ authorization: undefined, cookie })
    return actor?.type === 'user' ? { userId: actor.userId, author: toAuthor(actor) } : undefined
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return undefined
    throw error
  }
}
