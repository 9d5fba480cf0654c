import { Problem } from '@signalbox/contract'
import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { newToken } from '../../crypto/tokens.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Caller } from '../caller.ts'
import type { ApiKeyWithSecret } from './add-api-key.ts'
import { apiKeyState, type ApiKey } from './api-key.ts'
import type { ApiKeyDeps } from './create-api-key.ts'
import { endSecrets, findApiKey, insertSecret, lockApiKey } from './rows.ts'

export interface RotateApiKey {
  readonly orgId: string
  readonly keyId: string
  /** Says how long the previous secret keeps working, so that what runs with it can be updated. 0 ends it at once. */
  readonly overlapSeconds: number
  readonly caller: Caller
}

/**
 * Creates a new secret for a key. Only the result holds it. Id, name and restrictions stay.
 *
 * @throws {Problem} `not_found`; `conflict` when the key does not work any more, or the last overlap is not over.
 */
export async function rotateApiKey(
  { store, publish, now }: Pick<ApiKeyDeps, 'store' | 'publish' | 'now'>,
  { orgId, keyId, overlapSeconds, caller }: RotateApiKey,
): Promise<ApiKeyWithSecret> {
  const { actor, scope, request } = caller
  const rotated = await store.transaction(scope, async (tx) => {
    await lockApiKey(tx, orgId, keyId)
    const key = await findApiKey(tx, orgId, keyId)
    if (key === undefined) throw notFound()
    const moment = now()
    requireRotatable(key, overlapSeconds, moment)
    const endsAt = new Date(moment.getTime() + overlapSeconds * 1000)
    await endSecrets(tx, { orgId, keyId, endsAt })
    const { token, handle, hash } = newToken(key.kind)
    await insertSecret(tx, { orgId, keyId, handle, hash, createdAt: moment })
    recordAuditEvent(tx, {
      orgId,
      actor: toAuthor(actor),
      action: 'key.rotated',
      target: { type: 'api_key', id: keyId, name: key.name },
      detail: { overlapSeconds },
      request,
    })
    return { ...key, handle, earlierSecretEndsAt: endsAt, secret: token }
  })
  await publish()
  return rotated
}

/** Allows at most two valid secrets, so that a person knows which one a server may run with. */
function requireRotatable(key: ApiKey, overlapSeconds: number, now: Date): void {
  const state = apiKeyState(key, now)
  if (state !== 'active') {
    throw new Problem('conflict', `The key is ${state}. Create a new one.`)
  }
  const { earlierSecretEndsAt: endsAt } = key
  if (overlapSeconds === 0 || endsAt === null || endsAt <= now) return
  const until = endsAt.toISOString()
  const detail = `The secret from before the last rotation works until ${until}. Rotate after that, or with overlapSeconds 0, which ends both immediately.`
  throw new Problem('conflict', detail)
}
