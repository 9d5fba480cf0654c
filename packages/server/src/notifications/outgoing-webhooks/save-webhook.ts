import { isDeepStrictEqual } from 'node:util'
import { Problem, type ProblemCode } from '@signalbox/contract'
import type { AuditAction } from '../../audit/audit-event.ts'
import type { Caller } from '../../audit/caller.ts'
import { makerOf } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { newId } from '../../crypto/ids.ts'
import { takeRandomBytes } from '../../crypto/random.ts'
import type { Egress } from '../../egress/create-egress.ts'
import { EgressError } from '../../egress/egress-error.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { requireSame } from '../../http/input/read-only-fields.ts'
import type { Store, Tx } from '../../store/store.ts'
import type { OrganizationKeys, Sealer } from '../../vault/organization-keys.ts'
import { hasMessage, insertMessage, requeueMessage } from './message-rows.ts'
import {
  secretsContext,
  type OutgoingMessage,
  type OutgoingWebhook,
  type WebhookSecrets,
} from './webhook.ts'
import {
  deleteWebhookRow,
  lockWebhookRow,
  pageWebhookRows,
  saveWebhookRow,
  type SealedWebhook,
} from './webhook-rows.ts'

/** Describes the dependencies of changes to outgoing webhooks. */
export interface WebhookDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly keys: Pick<OrganizationKeys, 'getSealer'>
  readonly egress: Pick<Egress, 'requireSendable'>
  readonly now: () => Date
  /** Looks for due messages soon. */
  readonly wake: () => void
}

/** Describes a webhook as a request gives it. */
export interface WebhookFields extends Pick<
  OutgoingWebhook,
  'name' | 'url' | 'events' | 'format' | 'enabled'
> {
  readonly authorization?: string | null | undefined
}

/** Describes a webhook at the one moment when its secret is known. */
export interface WebhookWithSecret extends OutgoingWebhook {
  readonly secret: string
}

const webhooksPerOrganization = 20

/**
 * Creates an outgoing webhook. Only the result holds its secret.
 *
 * @throws {Problem} `quota_exceeded`, `already_exists`, `validation_failed`
 */
export async function createWebhook(
  { store, keys, egress, now }: WebhookDeps,
  caller: Caller,
  { authorization = null, ...fields }: WebhookFields,
): Promise<WebhookWithSecret> {
  requireSendable(egress, fields.url)
  return store.transaction(caller.scope, async (tx) => {
    const { orgId } = caller
    const present = await pageWebhookRows(tx, orgId, { after: '', limit: webhooksPerOrganization })
    if (present.length >= webhooksPerOrganization) {
      const detail = `An organization has at most ${webhooksPerOrganization} outgoing webhooks. Delete one first.`
      throw new Problem('quota_exceeded', detail)
    }
    requireFreeName(present, { name: fields.name })
    const createdAt = now()
    const secret = newSecret()
    const webhook = {
      ...fields,
      id: newId('whk', createdAt),
      events: [...new Set(fields.events)],
      hasAuthorization: authorization !== null,
      overlapEndsAt: null,
      healthReason: null,
      failingSince: null,
      lastSentAt: null,
      createdAt,
      createdBy: makerOf(caller),
    }
    const sealer = await keys.getSealer(tx, orgId)
    const sealedSecrets = sealSecrets(sealer, orgId, webhook.id, {
      secret,
      previous: null,
      authorization,
    })
    await saveWebhookRow(tx, orgId, { ...webhook, sealedSecrets })
    record(tx, caller, { action: 'outgoing_webhook.created', webhook })
    return { ...webhook, secret }
  })
}

/**
 * Changes an outgoing webhook. Members that the request leaves out stay. A request that moves the address to another
 * server must repeat the `Authorization` header, so that nobody can read it that way.
 *
 * @throws {Problem} `not_found`, `already_exists`, `validation_failed`
 */
export async function updateWebhook(
  { store, keys, egress }: WebhookDeps,
  caller: Caller,
  id: string,
  {
    authorization,
    readOnly,
    ...fields
  }: { readonly [Name in keyof WebhookFields]?: WebhookFields[Name] | undefined } & {
    readonly readOnly: { readonly id?: string | undefined }
  },
): Promise<OutgoingWebhook> {
  return store.transaction(caller.scope, async (tx) => {
    const stored = await requireWebhook(tx, caller.orgId, id)
    requireSame(stored, readOnly)
    const { sealedSecrets, ...known } = stored
    // An address that the operator has stopped allowing doesn't keep anybody from switching its webhook off.
    if (fields.url !== undefined && fields.url !== known.url) requireSendable(egress, fields.url)
    if (authorization === undefined) requireSameServer(known, fields.url)
    if (fields.name !== undefined && fields.name !== known.name) {
      const all = await pageWebhookRows(tx, caller.orgId, {
        after: '',
        limit: webhooksPerOrganization,
      })
      requireFreeName(all, { id, name: fields.name })
    }
    const changed: OutgoingWebhook = {
      ...merge(known, fields),
      ...(authorization !== undefined && { hasAuthorization: authorization !== null }),
    }
    // A client may send back what it has read.
    if (authorization === undefined && isDeepStrictEqual(changed, known)) return known
    const sealed =
      authorization === undefined
        ? sealedSecrets
        : await reseal({ keys, tx, orgId: caller.orgId }, stored, (secrets) => ({
            ...secrets,
            authorization,
          }))
    await saveWebhookRow(tx, caller.orgId, { ...changed, sealedSecrets: sealed })
    record(tx, caller, { action: 'outgoing_webhook.updated', webhook: changed })
    return changed
  })
}

/** Refuses the name of another webhook: commands and `signalbox.yaml` call a webhook by its name. */
function requireFreeName(
  webhooks: readonly Pick<OutgoingWebhook, 'id' | 'name'>[],
  { id, name }: { readonly id?: string; readonly name: string },
): void {
  const other = webhooks.find(
    (one) => one.id !== id && one.name.toLowerCase() === name.toLowerCase(),
  )
  if (other === undefined) return
  const detail = `The outgoing webhook ${other.name} has this name already. Choose another one.`
  throw refuse('already_exists', '/name', detail)
}

/** Refuses an address of which every message would fail. @throws {Problem} `validation_failed` */
function requireSendable(egress: WebhookDeps['egress'], url: string): void {
  try {
    egress.requireSendable(url)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    const what =
      error.code === 'address_forbidden'
        ? 'Use a public address. An operator can allow a private one'
        : 'Use an https address without a password. An operator can allow http for a host'
    const detail = `${what} with SIGNALBOX_EGRESS_ALLOW_MEMBERS.`
    throw refuse('validation_failed', '/url', detail)
  }
}

/** Refuses to send a stored header to another server. @throws {Problem} `validation_failed` */
function requireSameServer(known: OutgoingWebhook, url: string = known.url): void {
  if (!known.hasAuthorization || new URL(url).origin === new URL(known.url).origin) return
  const detail =
    'The new address is on another server. Send its Authorization header, or null to send none.'
  throw refuse('validation_failed', '/authorization', detail)
}

function refuse(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, `${pointer}: ${detail}`, { errors: [{ pointer, code, detail }] })
}

function merge(
  known: OutgoingWebhook,
  fields: { readonly [Name in keyof WebhookFields]?: WebhookFields[Name] | undefined },
): OutgoingWebhook {
  // Another address, or a second chance: its health is not known.
  const isMoved = fields.url !== undefined && fields.url !== known.url
  const isFresh = isMoved || (fields.enabled === true && !known.enabled)
  return {
    ...known,
    name: fields.name ?? known.name,
    url: fields.url ?? known.url,
    events: [...new Set(fields.events ?? known.events)],
    format: fields.format ?? known.format,
    enabled: fields.enabled ?? known.enabled,
    ...(isFresh && { healthReason: null, failingSince: null }),
  }
}

/** Gives a webhook a new secret. The previous one signs too until the end of the overlap. @throws {Problem} `not_found` */
export async function rotateWebhook(
  { store, keys, now }: WebhookDeps,
  caller: Caller,
  { id, overlapSeconds }: { readonly id: string; readonly overlapSeconds: number },
): Promise<WebhookWithSecret> {
  return store.transaction(caller.scope, async (tx) => {
    const stored = await requireWebhook(tx, caller.orgId, id)
    const secret = newSecret()
    const sealedSecrets = await reseal({ keys, tx, orgId: caller.orgId }, stored, (secrets) => ({
      ...secrets,
      secret,
      previous: overlapSeconds === 0 ? null : secrets.secret,
    }))
    const overlapEndsAt =
      overlapSeconds === 0 ? null : new Date(now().getTime() + overlapSeconds * 1000)
    const { sealedSecrets: _former, ...known } = stored
    const webhook = { ...known, overlapEndsAt }
    await saveWebhookRow(tx, caller.orgId, { ...webhook, sealedSecrets })
    record(tx, caller, { action: 'outgoing_webhook.rotated', webhook })
    return { ...webhook, secret }
  })
}

/** Deletes an outgoing webhook with its messages. @throws {Problem} `not_found` */
export async function deleteWebhook(
  { store }: WebhookDeps,
  caller: Caller,
  id: string,
): Promise<void> {
  await store.transaction(caller.scope, async (tx) => {
    const webhook = await requireWebhook(tx, caller.orgId, id)
    await deleteWebhookRow(tx, caller.orgId, id)
    record(tx, caller, { action: 'outgoing_webhook.deleted', webhook })
  })
}

/** Queues a test message, also for a webhook that is switched off. @throws {Problem} `not_found` */
export async function testWebhook(
  { store, now, wake }: WebhookDeps,
  caller: Caller,
  id: string,
): Promise<OutgoingMessage> {
  const message = await store.transaction(caller.scope, async (tx) => {
    const webhook = await requireWebhook(tx, caller.orgId, id)
    const createdAt = now()
    record(tx, caller, { action: 'outgoing_webhook.tested', webhook })
    return insertMessage(tx, caller.orgId, {
      id: newId('msg', createdAt),
      webhookId: id,
      type: 'webhook.test',
      data: { webhook: webhook.name, author: { name: caller.author.name } },
      createdAt,
    })
  })
  wake()
  return message
}

/** Queues a message once more, with its id. @throws {Problem} `not_found`, `conflict` while it waits */
export async function replayMessage(
  { store, now, wake }: WebhookDeps,
  caller: Caller,
  target: { readonly webhookId: string; readonly id: string },
): Promise<OutgoingMessage> {
  const message = await store.transaction(caller.scope, async (tx) => {
    const webhook = await requireWebhook(tx, caller.orgId, target.webhookId)
    const requeued = await requeueMessage(tx, caller.orgId, { ...target, now: now() })
    if (requeued === undefined) {
      if (!(await hasMessage(tx, caller.orgId, target))) throw notFound()
      throw new Problem('conflict', 'This message already waits for its next attempt.')
    }
    record(tx, caller, { action: 'outgoing_webhook.replayed', webhook, messageId: target.id })
    return requeued
  })
  wake()
  return message
}

/** Opens the secrets of a webhook. */
export function openSecrets(
  sealer: Sealer,
  orgId: string,
  { id, sealedSecrets }: Pick<SealedWebhook, 'id' | 'sealedSecrets'>,
): WebhookSecrets {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sealed by `sealSecrets` alone
  return JSON.parse(
    sealer.open(secretsContext(orgId, id), sealedSecrets).toString('utf8'),
  ) as WebhookSecrets
}

function sealSecrets(sealer: Sealer, orgId: string, id: string, secrets: WebhookSecrets): Buffer {
  return sealer.seal(secretsContext(orgId, id), JSON.stringify(secrets))
}

async function reseal(
  {
    keys,
    tx,
    orgId,
  }: { readonly keys: WebhookDeps['keys']; readonly tx: Tx; readonly orgId: string },
  stored: SealedWebhook,
  change: (secrets: WebhookSecrets) => WebhookSecrets,
): Promise<Buffer> {
  const sealer = await keys.getSealer(tx, orgId)
  return sealSecrets(sealer, orgId, stored.id, change(openSecrets(sealer, orgId, stored)))
}

async function requireWebhook(tx: Tx, orgId: string, id: string): Promise<SealedWebhook> {
  const row = await lockWebhookRow(tx, orgId, id)
  if (row === undefined) throw notFound()
  return row
}

function newSecret(): string {
  return `whsec_${takeRandomBytes(32).toString('base64')}`
}

interface RecordedChange {
  readonly action: AuditAction
  readonly webhook: OutgoingWebhook
  readonly messageId?: string
}

function record(
  tx: Tx,
  { orgId, author, request }: Caller,
  { action, webhook: { id, name, url, events, format, enabled }, messageId }: RecordedChange,
): void {
  recordAuditEvent(tx, {
    orgId,
    actor: author,
    request,
    action,
    target: { type: 'outgoing_webhook', id, name },
    // Where the events go, without a path: some receivers have their secret in it.
    detail: {
      host: new URL(url).host,
      events,
      format,
      enabled,
      ...(messageId !== undefined && { messageId }),
    },
  })
}
