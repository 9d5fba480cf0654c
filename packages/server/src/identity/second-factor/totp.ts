import { Secret, TOTP } from 'otpauth'
import { takeRandomBytes } from '../../crypto/random.ts'

/** Every authenticator understands these: RFC 6238 with the values of its reference implementation. */
const algorithm = 'SHA1'
const digits = 6
const periodSeconds = 30
/** As long as an output of HMAC-SHA-1 (RFC 4226 §4, requirement 6). */
const secretBytes = 20
/** Limits by how many periods a clock is off, on either side (RFC 6238 §5.2). */
const window = 1

/** Returns a fresh secret for an authenticator. */
export function newTotpSecret(): Buffer {
  return takeRandomBytes(secretBytes)
}

/** Describes the secret as an authenticator takes it: typed, or as a QR code. */
export interface TotpDescription {
  /** Base 32. */
  readonly secret: string
  /** Example: `otpauth://totp/Signalbox:ada%40example.com?issuer=…`. */
  readonly uri: string
}

/** Describes a secret to an authenticator, which lists it under `issuer` and `account`. */
export function describeTotp(
  secret: Buffer,
  { issuer, account }: { readonly issuer: string; readonly account: string },
): TotpDescription {
  const totp = new TOTP({
    issuer,
    label: account,
    secret: toSecret(secret),
    algorithm,
    digits,
    period: periodSeconds,
  })
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** Finds the period whose code it is, counted since 1970; `undefined` when it is none of about now. */
export function findTotpStep(secret: Buffer, code: string, now: Date): number | undefined {
  const timestamp = now.getTime()
  const delta = TOTP.validate({
    token: code,
    secret: toSecret(secret),
    algorithm,
    digits,
    period: periodSeconds,
    timestamp,
    window,
  })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / periodSeconds) + delta
}

/** The library reads the whole buffer below, which may hold more than the bytes. */
function toSecret(bytes: Buffer): Secret {
  return new Secret({ buffer: new Uint8Array(bytes).buffer })
}
