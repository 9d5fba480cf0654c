import { serverChain, type AuditRequest } from '../../audit/audit-event.ts'
import { hashOpaqueToken } from '../../crypto/opaque-tokens.ts'
import type { Tx } from '../../store/store.ts'
import type { OAuthError } from '../access-tokens/oauth-parameters.ts'
import { isBelowQuota, issuePersonalToken } from '../personal-tokens/personal-tokens.ts'
import { lifeMsOf } from '../personal-tokens/token-rules.ts'
import { findUserName } from '../user-rows.ts'
import {
  deviceIntervalSeconds,
  judgePoll,
  nameDeviceToken,
  type DeviceAuthorization,
} from './device-authorization.ts'
import type { DeviceDeps } from './device-deps.ts'
import { findDeviceOwner, lockDeviceRow, markDeviceRedeemed, touchDeviceRow } from './rows.ts'

/** Describes the answer of RFC 6749 §5.1. */
export interface RedeemedDevice {
  readonly access_token: string
  readonly token_type: 'Bearer'
  /** In seconds. */
  readonly expires_in: number
}

/**
 * Answers a device that polls for its token (RFC 8628 §3.4). Creates the token, which only the answer holds, once: a second
 * poll at the same moment, on any node, finds the code used.
 */
export async function redeemDevice(
  { store, now }: Pick<DeviceDeps, 'store' | 'now'>,
  { deviceCode, request }: { readonly deviceCode: string; readonly request: AuditRequest },
): Promise<RedeemedDevice | OAuthError> {
  const deviceCodeHash = hashOpaqueToken(deviceCode)
  if (deviceCodeHash === undefined) return unknownCode
  const owner = await store.transaction({ orgId: null }, (tx) =>
    findDeviceOwner(tx, deviceCodeHash),
  )
  if (owner === undefined) return unknownCode
  // Runs as its owner, whose rows are written. An authorization that was claimed since is not seen: the device polls again soon.
  return store.transaction({ orgId: serverChain, userId: owner.userId }, async (tx) => {
    const authorization = await lockDeviceRow(tx, deviceCodeHash)
    if (authorization === undefined) return pending
    const moment = now()
    const poll = judgePoll(authorization, moment)
    if (poll === 'approved') {
      return giveToken(tx, { deviceCodeHash, authorization, request, now: moment })
    }
    if (poll !== 'pending' && poll !== 'too_early') return rejections[poll]
    const more = poll === 'too_early' ? deviceIntervalSeconds : 0
    const intervalSeconds = authorization.intervalSeconds + more
    await touchDeviceRow(tx, deviceCodeHash, { polledAt: moment, intervalSeconds })
    return poll === 'pending' ? pending : tooEarly
  })
}

interface GiveToken {
  readonly deviceCodeHash: Buffer
  readonly authorization: DeviceAuthorization
  readonly request: AuditRequest
  readonly now: Date
}

async function giveToken(
  tx: Tx,
  { deviceCodeHash, authorization, request, now }: GiveToken,
): Promise<RedeemedDevice | OAuthError> {
  const { userId, manages } = authorization
  // Without an owner there is no account to sign in to.
  if (userId === null) return rejections.denied
  if (!(await isBelowQuota(tx, userId))) return tooManyTokens
  const token = { userId, name: nameDeviceToken(authorization), manages, createdAt: now }
  const actor = { type: 'user', id: userId, name: await findUserName(tx, userId) } as const
  const event = { actor, detail: { device: true, manages }, request }
  const issued = await issuePersonalToken(tx, token, event)
  await markDeviceRedeemed(tx, deviceCodeHash, now)
  const seconds = Math.floor(lifeMsOf(issued) / 1000)
  return { access_token: issued.secret, token_type: 'Bearer', expires_in: seconds }
}

const unknownCode: OAuthError = {
  error: 'invalid_grant',
  description: 'The device_code is not valid.',
}
const pending: OAuthError = {
  error: 'authorization_pending',
  description: 'Nobody has approved the device yet. Ask again after the interval.',
}
const tooEarly: OAuthError = {
  error: 'slow_down',
  description:
    'This request came too early. Wait five seconds longer between requests from now on.',
}
const tooManyTokens: OAuthError = {
  error: 'access_denied',
  description: 'The person who approved the device has too many personal access tokens.',
}
const rejections = {
  denied: { error: 'access_denied', description: 'The sign-in of the device was denied.' },
  expired: { error: 'expired_token', description: 'The code has expired. Start again.' },
  redeemed: { error: 'invalid_grant', description: 'The code was already used.' },
} as const satisfies Record<string, OAuthError>
