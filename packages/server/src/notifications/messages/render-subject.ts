import { nameUuid } from '../../crypto/name-uuid.ts'
import type { ChatDialect } from '../../providers/chat/chat-dialect.ts'
import type { ChatMessage } from '../../providers/chat/chat-message.ts'
import type { Tx } from '../../store/store.ts'
import { isFailing, type DeploymentView } from '../../read-models/notifications/deployment-view.ts'
import { toCompact } from './render-notice.ts'
import type { NotificationDeps } from '../notification-deps.ts'
import { needsAttention, renderAttention, renderConfiguration } from './render-attention.ts'
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
  const moreUrl = deps.pageUrl(orgId, {
    page: 'deployment',
    params: { deploymentId: row.subjectId },
  })
  return { ...rendering, message: toCompact(rendering.message, moreUrl) }
}

async function composeFull(
  deps: Pages,
  tx: Tx,
  orgId: string,
  { subjectKind, subjectId, ...row }: ComposedRow,
): Promise<Rendering | undefined> {
  switch (subjectKind) {
    case 'integration': {
      const view = await findAttentionView(tx, orgId, subjectId)
      // Trouble with the chat cannot be reported in the chat.
      if (view === undefined || view.kind === 'chat') return undefined
      const message = renderAttention(view, deps.pageUrl(orgId, { page: 'integrations' }))
      return { message, isFailing: needsAttention(view.state) }
    }
    case 'configuration': {
      const view = await findConfigurationView(tx, orgId, subjectId)
      if (view === undefined) return undefined
      return {
        message: renderConfiguration(view, deps.pageUrl(orgId, { page: 'history' })),
        isFailing: false,
      }
    }
    case 'deployment':
    case 'deployment_details':
    case 'deployment_failure': {
      const subject = await findDeploymentSubject(tx, orgId, subjectId)
      return subject === undefined
        ? undefined
        : renderDeployment(deps, orgId, subject.view, {
            kind: subjectKind,
            isPosted: isPosted(row),
          })
    }
  }
}

/** Hashes a message as its provider shows it: messages that read the same have the same hash. */
export function hashMessage(dialect: Pick<ChatDialect, 'render'>, message: ChatMessage): string {
  const messages = '8f14d3a6-6c1e-5b0e-9a59-3a1f5f0d7c21'
  return nameUuid(messages, JSON.stringify(dialect.render(message)))
}
