import type { Tx } from '../store/store.ts'
import { isFailing, outcomeOf } from './deployment-view.ts'
import { defaultRouteId, matchesRoute, type RouteEvent } from './match-route.ts'
import type { NotificationDeps } from './notification-deps.ts'
import { initialHoldMs } from './notification-protocol.ts'
import { renderDeployment, renderSubject, type Rendering } from './render-subject.ts'
import type { RouteRow } from './route-rows.ts'
import type { NotificationRow, SubjectKind } from './rows.ts'
import { findDeploymentSubject } from './view-rows.ts'

/** One message that is to be there. */
export interface WantedMessage extends Rendering {
  readonly subjectKind: SubjectKind
  readonly subjectId: string
  readonly routeId: string
  /** `null`: no channel is chosen. */
  readonly channelId: string | null
  /** How long the first message waits for more to tell, in milliseconds. */
  readonly holdMs: number
}

/** A place where messages go. */
interface Place {
  readonly routeId: string
  readonly channelId: string | null
  readonly broadcast: boolean
}

export interface WantContext {
  readonly orgId: string
  readonly subjectId: string
  readonly routes: readonly RouteRow[]
  readonly defaultChannelId: string | null
  /** What is there already: it is kept up to date, whatever routes say by now. */
  readonly existing: readonly NotificationRow[]
}

/** All messages that are to be there of a subject, as they are to read. */
export async function findWantedMessages(
  deps: Pick<NotificationDeps, 'pageUrl'>,
  tx: Tx,
  context: WantContext,
): Promise<WantedMessage[]> {
  if (context.subjectId.startsWith('dep_')) return wantDeployment(deps, tx, context)
  if (context.subjectId.startsWith('int_')) {
    return wantNotice(deps, tx, context, ['integration', 'integration_attention'])
  }
  return wantNotice(deps, tx, context, ['configuration', 'protected_configuration'])
}

function hasMessage(context: WantContext, kind: SubjectKind, routeId: string): boolean {
  return context.existing.some((row) => row.subjectKind === kind && row.routeId === routeId)
}

/** Where something is told: at the routes that take it, else at the default channel, and where it is told already. */
function placesOf(
  context: WantContext,
  kind: SubjectKind,
  takes: (route: RouteRow) => boolean,
): Place[] {
  const taking = context.routes.filter(takes)
  const told = context.routes.filter(
    (route) => !takes(route) && hasMessage(context, kind, route.id),
  )
  const places = [...taking, ...told].map((route) => ({
    routeId: route.id,
    channelId: route.channelId,
    broadcast: route.broadcastFailures,
  }))
  if (taking.length > 0 && !hasMessage(context, kind, defaultRouteId)) return places
  return [
    ...places,
    { routeId: defaultRouteId, channelId: context.defaultChannelId, broadcast: false },
  ]
}

async function wantDeployment(
  deps: Pick<NotificationDeps, 'pageUrl'>,
  tx: Tx,
  context: WantContext,
): Promise<WantedMessage[]> {
  const { orgId, subjectId } = context
  const subject = await findDeploymentSubject(tx, orgId, subjectId)
  if (subject === undefined) return []
  const { view, matched } = subject
  const takes = (route: RouteRow) =>
    route.events.includes('deployment') && matchesRoute(route.match, matched)
  const isUrgent = view.isProduction && outcomeOf(view.state) === 'failure'
  return placesOf(context, 'deployment', takes).flatMap(({ broadcast, ...place }) => {
    const isTold =
      (broadcast && isFailing(view)) || hasMessage(context, 'deployment_failure', place.routeId)
    const kinds = ['deployment', 'deployment_details', 'deployment_failure'] as const
    return kinds
      .filter((kind) => kind !== 'deployment_failure' || isTold)
      .flatMap((subjectKind) => {
        const rendering = renderDeployment(deps, orgId, view, subjectKind)
        if (rendering === undefined) return []
        const holdMs = isUrgent ? 0 : initialHoldMs
        return [{ ...rendering, ...place, subjectKind, subjectId, holdMs }]
      })
  })
}

async function wantNotice(
  deps: Pick<NotificationDeps, 'pageUrl'>,
  tx: Tx,
  context: WantContext,
  [subjectKind, event]: readonly ['integration' | 'configuration', RouteEvent],
): Promise<WantedMessage[]> {
  const { orgId, subjectId } = context
  const rendering = await renderSubject(deps, tx, orgId, { subjectKind, subjectId, form: 'full' })
  if (rendering === undefined) return []
  // That all is well is told only where somebody was told of the trouble.
  if (subjectKind === 'integration' && !rendering.isFailing && context.existing.length === 0) {
    return []
  }
  return placesOf(context, subjectKind, (route) => route.events.includes(event)).map(
    ({ routeId, channelId }) => ({
      ...rendering,
      subjectKind,
      subjectId,
      routeId,
      channelId,
      holdMs: 0,
    }),
  )
}
