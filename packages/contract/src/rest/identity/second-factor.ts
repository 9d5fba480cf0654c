import { z } from 'zod/v4'
import { person } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { secondFactorCode, time } from '../shapes.ts'

export const secondFactorEndpoints = declareEndpoints({ tag: 'Identity', topics: ['account'] })({
  beginSecondFactor: {
    method: 'POST',
    path: '/me/second-factor',
    summary: 'Get a secret for an authenticator. Nothing changes until you confirm it with a code.',
    description:
      'RFC 6238 with SHA-1, six digits and 30 seconds. The secret expires after ten minutes.',
    access: person,
    stepUp: true,
    response: {
      status: 201,
      /** Returns the secret and the `uri` of the QR code: `otpauth://totp/…`. */
      body: z.object({ secret: z.string(), uri: z.string(), expiresAt: time }),
    },
    problems: ['conflict', 'session_required', 'role_forbidden', 'sealed'],
  },
  confirmSecondFactor: {
    method: 'POST',
    path: '/me/second-factor/confirm',
    summary: 'Turn the second factor on with a code. The response shows ten recovery codes once.',
    description: 'Ends all your other sessions, because they started without the second factor.',
    access: person,
    rateClass: 'signIn',
    body: z.strictObject({ code: secondFactorCode }),
    response: { status: 200, body: z.object({ recoveryCodes: z.array(z.string()) }) },
    problems: ['conflict', 'session_required', 'role_forbidden', 'sealed'],
  },
  removeSecondFactor: {
    method: 'DELETE',
    path: '/me/second-factor',
    summary: 'Turn the second factor off, together with its recovery codes.',
    description: 'Needs the password and a code from within the last ten minutes.',
    access: person,
    stepUp: true,
    response: { status: 204 },
    problems: ['not_found', 'session_required', 'role_forbidden'],
  },
})
