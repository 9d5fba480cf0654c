import type { PageRef } from '@signalbox/contract'
import { nameUuid } from '../../crypto/name-uuid.ts'
import type { ChatDialect } from '../../providers/chat/chat-dialect.ts'
import type { ChatMessage } from '../../providers/chat/chat-message.ts'
import type { Tx } from '../../store/store.ts'
import { isFailing, type DeploymentView } from '../../read-models/notifications/deployment-view.ts'
import type { ProofView, RequestView } from '../../read-models/notifications/notice-views.ts'
import { toCompact } from './render-notice.ts'
import type { NotificationDeps } from '../notification-deps.ts'
import { needsAttention, renderAttention, renderConfiguration } from './render-attention.ts'
import { findRequestView } from './find-request-view.ts'
import { renderChangeRequest } from './render-change-request.ts'
import { renderDeploymentMessage } from './render-deployment-message.ts'
import { renderFailure, renderThread } from './render-thread.ts'
import type { NotificationRow, SubjectKind } from '../rows.ts'
import {
  findAttentionView,
  findConfigurationView,
  findDeploymentSubject,
} from '../../read-models/notifications/subject-rows.ts'

/** Holds what a notification is to say now. */
export interface Rendering {
  readonly message: ChatMessage
  /** True when the message reports a failure. */
  readonly isFailing: boolean
}

type Pages = Pick<NotificationDeps, 'pageUrl'>

/** Names one of the messages of a deployment, and says whether it is in the chat, or may be. */
export interface DeploymentMessage {
  readonly kind: Extract<SubjectKind, `deployment${string}`>
  readonly isPosted: boolean
}

/** Returns whether a message is in the chat, or may be: its post may have arrived. */
export function isPosted({
  reference,
  ambiguous,
}: Pick<NotificationRow, 'reference' | 'ambiguous'>): boolean {
  return reference !== null || ambiguous
}

/** Renders one of the messages of a deployment. The details are `undefined` while the message says everything. */
export function renderDeployment(
  { pageUrl }: Pages,
  orgId: string,
  view: DeploymentView,
  { kind, isPosted: isThere }: DeploymentMessage,
): Rendering | undefined {
  const moreUrl = pageUrl(orgId, { page: 'deployment', params: { deploymentId: view.id } })
  const failing = isFailing(view)
  switch (kind) {
    case 'deployment':
      return { message: renderDeploymentMessage(view, moreUrl), isFailing: failing }
    case 'deployment_failure':
      return { message: renderFailure(view), isFailing: failing }
    case 'deployment_details': {
      const message = renderThread(view, moreUrl, isThere)
      return message === undefined ? undefined : { message, isFailing: false }
    }
  }
}

/**
 * Renders the message of a change request. That one was applied without its approvals, or failed its proof, is news where a person
 * deleted it.
 */
export function renderRequest({ pageUrl }: Pages, orgId: string, view: RequestView): Rendering {
  const url = pageUrl(orgId, { page: 'request', params: { requestId: String(view.number) } })
  const isFailing = view.overridden !== null || view.proofs.some(hasFailed)
  return { message: renderChangeRequest(view, url), isFailing }
}

const hasFailed = (proof: ProofView | null): boolean => proof?.state === 'failed'

type ComposedRow = Pick<NotificationRow, 'subjectKind' | 'subjectId' | 'reference' | 'ambiguous'>

/** Renders what a row is to say, from what its subject is now; `undefined` when that is not there any more. */
export async function composeSubject(
  deps: Pages,
  tx: Tx,
  orgId: string,
  row: ComposedRow & Pick<NotificationRow, 'form'>,
): Promise<Rendering | undefined> {
  const rendering = await composeFull(deps, tx, orgId, row)
  if (rendering === undefined || row.form === 'full') return rendering
  return { ...rendering, message: toCompact(rendering.message, deps.pageUrl(orgId, pageOf(row))) }
}

/** Returns the page that says what a message leaves out. */
function pageOf({ subjectKind, subjectId }: ComposedRow): PageRef {
  switch (subjectKind) {
    case 'integration':
      return { page: 'integrations' }
    case 'configuration':
      return { page: 'history' }
    case 'change_request':
      return { page: 'request', params: { requestId: subjectId } }
    case 'deployment':
    case 'deployment_details':
    case 'deployment_failure':
      return { page: 'deployment', params: { deploymentId: subjectId } }
  }
}

async function composeFull(
  deps: Pages,
  tx: Tx,
  orgId: string,
  of: ComposedRow,
): Promise<Rendering | undefined> {
  const { subjectKind, subjectId } = of
  switch (subjectKind) {
    case 'integration': {
      const view = await findAttentionView(tx, orgId, subjectId)
      // Trouble with the chat cannot be reported in the chat.
      if (view === undefined || view.kind === 'chat') return undefined
      const message = renderAttention(view, deps.pageUrl(orgId, pageOf(of)))
      return { message, isFailing: needsAttention(view.state) }
    }
    case 'configuration': {
      const view = await findConfigurationView(tx, orgId, subjectId)
      if (view === undefined) return undefined
      return {
        message: renderConfiguration(view, deps.pageUrl(orgId, pageOf(of))),
        isFailing: hasFailed(view.proof),
      }
    }
    case 'change_request': {
      const view = await findRequestView(tx, orgId, subjectId)
      return view && renderRequest(deps, orgId, view)
    }
    case 'deployment':
    case 'deployment_details':
    case 'deployment_failure': {
      const subject = await findDeploymentSubject(tx, orgId, subjectId)
      return subject === undefined
        ? undefined
        : renderDeployment(deps, orgId, subject.view, {
            kind: subjectKind,
            isPosted: isPosted(of),
          })
    }
  }
}

/** Hashes a message as its provider shows it: messages that read the same have the same hash. */
export function hashMessage(dialect: Pick<ChatDialect, 'render'>, message: ChatMessage): string {
  const messages = '8f14d3a6-6c1e-5b0e-9a59-3a1f5f0d7c21'
  return nameUuid(messages, JSON.stringify(dialect.render(message)))
}
