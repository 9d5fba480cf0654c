import { verifyEd25519 } from '../../crypto/verify-ed25519.ts'
import { isOneOfSecrets, verifyMac, type ClaimedMac } from '../../crypto/verify-mac.ts'

/** Describes the value of a header, or `undefined`. One that was sent twice has both values, with `, ` between them. */
export type ReadHeader = (name: string) => string | undefined

/** Holds the proof that a webhook's headers claim, before its body is read. */
export interface WebhookClaim {
  /** Returns whether one of the secrets proves that the body came from the provider. */
  isVerifiedBy(secrets: readonly string[], body: Buffer): boolean
}

/** Claims an HMAC-SHA256 of a prefix and the body. */
export function claimMac(claimed: ClaimedMac): WebhookClaim {
  return { isVerifiedBy: (secrets, body) => verifyMac(secrets, claimed, body) }
}

/** Claims that the sender knows the secret itself. Nothing ties the body to it. */
export function claimToken(token: string): WebhookClaim {
  return { isVerifiedBy: (secrets) => isOneOfSecrets(secrets, token) }
}

/** Claims an Ed25519 signature of a prefix and the body. The secrets are public keys, as 64 hexadecimal digits. */
export function claimEd25519(claimed: {
  readonly signature: Buffer
  readonly prefix: string
}): WebhookClaim {
  return { isVerifiedBy: (publicKeys, body) => verifyEd25519(publicKeys, claimed, body) }
}

/** Begins a secret of Standard Webhooks, before its Base64. */
export const standardSecretPrefix = 'whsec_'

const standardSecret = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/
const messageId = /^[\x21-\x7e]{1,200}$/
const seconds = /^\d{1,12}$/
const standardWindowSeconds = 300
const signaturesMax = 20

/**
 * Reads the signature of Standard Webhooks: `webhook-signature` has `v1,<Base64>`, several separated by spaces, of the
 * HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`. Secrets are `whsec_` and Base64; others prove nothing. A timestamp
 * more than five minutes away in either direction is refused.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function readStandardClaim(header: ReadHeader, now: Date): WebhookClaim | undefined {
  const id = header('webhook-id') ?? ''
  const sentAt = header('webhook-timestamp') ?? ''
  if (!messageId.test(id) || !seconds.test(sentAt)) return undefined
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(sentAt)
  if (Math.abs(ageSeconds) > standardWindowSeconds) return undefined
  const macs = (header('webhook-signature') ?? '')
    .split(' ', signaturesMax)
    .filter((text) => text.startsWith('v1,'))
    .map((text) => Buffer.from(text.slice('v1,'.length), 'base64'))
    .filter(({ length }) => length === 32)
  if (macs.length === 0) return undefined
  const prefix = `${id}.${sentAt}.`
  return {
    isVerifiedBy(secrets, body) {
      const keys = secrets.flatMap(toStandardKey)
      return macs.some((mac) => verifyMac(keys, { mac, prefix }, body))
    },
  }
}

function toStandardKey(secret: string): Buffer[] {
  const base64 = standardSecret.exec(secret)?.[1]
  return base64 === undefined ? [] : [Buffer.from(base64, 'base64')]
}
