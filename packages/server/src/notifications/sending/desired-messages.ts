import type { Tx } from '../../store/store.ts'
import { isFailing, outcomeOf } from '../../read-models/notifications/deployment-view.ts'
import { defaultRouteId, matchesRoute, type RouteEvent } from '../routing/match-route.ts'
import type { NotificationDeps } from '../notification-deps.ts'
import { initialHoldMs } from './notification-protocol.ts'
import {
  composeSubject,
  isPosted,
  renderDeployment,
  renderRequest,
  type Rendering,
} from '../messages/render-subject.ts'
import type { RouteRow } from '../routing/route-rows.ts'
import type { NotificationRow, SubjectKind } from '../rows.ts'
import type { Subject } from '../subject.ts'
import { findDeploymentSubject, isOfOther } from '../../read-models/notifications/subject-rows.ts'
import { findRequestView } from '../messages/find-request-view.ts'

/** Describes a message that is to be there. */
export interface DesiredMessage extends Rendering {
  readonly subjectKind: SubjectKind
  readonly subjectId: string
  readonly routeId: string
  /** `null`: no channel is chosen. */
  readonly channelId: string | null
  /** Says how long the first message waits for more to tell, in milliseconds. */
  readonly holdMs: number
}

interface Target {
  readonly routeId: string
  readonly channelId: string | null
  readonly broadcast: boolean
}

/** Holds what decides which messages are to be there. */
export interface DesiredContext {
  readonly orgId: string
  readonly subject: Subject
  readonly routes: readonly RouteRow[]
  readonly defaultChannelId: string | null
  /** Holds the messages that exist. They are kept up to date, even where no route takes them any more. */
  readonly existing: readonly NotificationRow[]
}

/** Finds all messages that are to be there of a subject, as they are to read. */
export async function findDesiredMessages(
  deps: Pick<NotificationDeps, 'pageUrl' | 'initialHoldMs'>,
  tx: Tx,
  context: DesiredContext,
): Promise<DesiredMessage[]> {
  switch (context.subject.type) {
    case 'deployment':
      return ofDeployment(deps, tx, context)
    case 'integration':
      return ofNotice(deps, tx, context, ['integration', 'integration_attention'])
    case 'configuration':
      if (await isOfOther(tx, context.orgId, context.subject.id)) return []
      return ofNotice(deps, tx, context, ['configuration', 'protected_configuration'])
    case 'changeRequest':
      return ofRequest(deps, tx, context)
  }
}

function hasMessage(context: DesiredContext, kind: SubjectKind, routeId: string): boolean {
  return context.existing.some((row) => row.subjectKind === kind && row.routeId === routeId)
}

/** Returns the targets of a message: the routes that take it, else the default channel, and where it was sent already. */
function targetsOf(
  context: DesiredContext,
  kind: SubjectKind,
  takes: (route: RouteRow) => boolean,
): Target[] {
  const taking = context.routes.filter(takes)
  const standing = context.routes.filter(
    (route) => !takes(route) && hasMessage(context, kind, route.id),
  )
  const targets = [...taking, ...standing].map((route) => ({
    routeId: route.id,
    channelId: route.channelId,
    broadcast: route.broadcastFailures,
  }))
  if (taking.length > 0 && !hasMessage(context, kind, defaultRouteId)) return targets
  return [
    ...targets,
    { routeId: defaultRouteId, channelId: context.defaultChannelId, broadcast: false },
  ]
}

async function ofDeployment(
  deps: Pick<NotificationDeps, 'pageUrl' | 'initialHoldMs'>,
  tx: Tx,
  context: DesiredContext,
): Promise<DesiredMessage[]> {
  const { orgId } = context
  const subjectId = context.subject.id
  const deployment = await findDeploymentSubject(tx, orgId, subjectId)
  if (deployment === undefined) return []
  const { view, matched } = deployment
  const takes = (route: RouteRow) =>
    route.events.includes('deployment') && matchesRoute(route.match, matched)
  const isUrgent = view.isProduction && outcomeOf(view.state) === 'failure'
  return targetsOf(context, 'deployment', takes).flatMap(({ broadcast, ...target }) => {
    const hasFailure =
      (broadcast && isFailing(view)) || hasMessage(context, 'deployment_failure', target.routeId)
    const kinds = ['deployment', 'deployment_details', 'deployment_failure'] as const
    return kinds
      .filter((kind) => kind !== 'deployment_failure' || hasFailure)
      .flatMap((subjectKind) => {
        const isThere = context.existing.some(
          (row) =>
            row.subjectKind === subjectKind && row.routeId === target.routeId && isPosted(row),
        )
        const of = { kind: subjectKind, isPosted: isThere }
        const rendering = renderDeployment(deps, orgId, view, of)
        if (rendering === undefined) return []
        const holdMs = isUrgent ? 0 : (deps.initialHoldMs ?? initialHoldMs)
        return [{ ...rendering, ...target, subjectKind, subjectId, holdMs }]
      })
  })
}

async function ofNotice(
  deps: Pick<NotificationDeps, 'pageUrl'>,
  tx: Tx,
  context: DesiredContext,
  [subjectKind, event]: readonly ['integration' | 'configuration', RouteEvent],
): Promise<DesiredMessage[]> {
  const { orgId } = context
  const subjectId = context.subject.id
  const unsent = { form: 'full', reference: null, ambiguous: false } as const
  const rendering = await composeSubject(deps, tx, orgId, { subjectKind, subjectId, ...unsent })
  if (rendering === undefined) return []
  // That an integration works is reported only where its failure was.
  if (subjectKind === 'integration' && !rendering.isFailing && context.existing.length === 0) {
    return []
  }
  return targetsOf(context, subjectKind, (route) => route.events.includes(event)).map(
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

/**
 * A request is reported where a change of production is, if it changes production or needs approvals. One that was applied without
 * them is reported to every channel that has a route for one of its environments as well.
 */
async function ofRequest(
  deps: Pick<NotificationDeps, 'pageUrl'>,
  tx: Tx,
  context: DesiredContext,
): Promise<DesiredMessage[]> {
  const { orgId } = context
  const subjectId = context.subject.id
  const view = await findRequestView(tx, orgId, subjectId)
  if (view === undefined) return []
  const { environments } = view
  const isOverridden = view.overridden !== null
  const isWatched = environments.some(
    ({ isProduction, approvals }) => isProduction || approvals.needed > 0,
  )
  const hasFailed = view.proofs.some(({ state }) => state === 'failed')
  if (!isWatched && !isOverridden && !hasFailed && context.existing.length === 0) return []
  const takes = ({ events, match }: RouteRow) =>
    events.includes('protected_configuration') ||
    (isOverridden && environments.some(({ id }) => match.environmentIds?.includes(id) ?? true))
  const subjectKind = 'change_request'
  const rendering = renderRequest(deps, orgId, view)
  return oncePerChannel(context, subjectKind, targetsOf(context, subjectKind, takes)).map(
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

/** Leaves out the targets whose channel has another one. Those that have a message already stay. */
function oncePerChannel(
  context: DesiredContext,
  kind: SubjectKind,
  targets: readonly Target[],
): Target[] {
  const there = targets.filter(({ routeId }) => hasMessage(context, kind, routeId))
  const taken = new Set(there.map(({ channelId }) => channelId))
  const added = targets.filter(({ routeId, channelId }) => {
    if (there.some((each) => each.routeId === routeId) || taken.has(channelId)) return false
    taken.add(channelId)
    return true
  })
  return [...there, ...added]
}
