import { TOTP } from 'otpauth'

/** The code that an authenticator shows at a moment, for a secret in base 32 as people type it. */
export function codeOfAuthenticator(secret: string, at: Date): string {
  return new TOTP({ secret }).generate({ timestamp: at.getTime() })
}
