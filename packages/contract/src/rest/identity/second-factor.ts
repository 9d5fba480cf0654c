import { z } from 'zod/v4'
import { person } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { secondFactorCode, time } from '../shapes.ts'

/** Declares the endpoints of the second factor. */
export const secondFactorEndpoints = {
  beginSecondFactor: endpoint({
    operationId: 'beginSecondFactor',
    method: 'POST',
    path: '/me/second-factor',
    tag: 'Identity',
    summary: 'Get a secret for an authenticator; nothing changes until a code of it was given.',
    description: 'RFC 6238 with SHA-1, six digits and 30 seconds. The secret waits ten minutes.',
    access: person,
    stepUp: true,
    response: {
      status: 201,
      /** Returns the secret and the `uri` of the QR code: `otpauth://totp/…`. */
      body: z.object({ secret: z.string(), uri: z.string(), expiresAt: time }),
    },
    topics: ['account'],
    problems: ['conflict', 'session_required', 'role_forbidden', 'sealed'],
  }),
  confirmSecondFactor: endpoint({
    operationId: 'confirmSecondFactor',
    method: 'POST',
    path: '/me/second-factor/confirm',
    tag: 'Identity',
    summary: 'Turn the second factor on with a code; answers ten recovery codes, shown once.',
    description: 'Ends all other sessions: they were begun without the second factor.',
    access: person,
    rateClass: 'signIn',
    body: z.strictObject({ code: secondFactorCode }),
    response: { status: 200, body: z.object({ recoveryCodes: z.array(z.string()) }) },
    topics: ['account'],
    problems: ['conflict', 'session_required', 'role_forbidden', 'sealed'],
  }),
  removeSecondFactor: endpoint({
    operationId: 'removeSecondFactor',
    method: 'DELETE',
    path: '/me/second-factor',
    tag: 'Identity',
    summary: 'Turn the second factor off; its recovery codes end with it.',
    description: 'Asks for the password and a code within the last ten minutes.',
    access: person,
    stepUp: true,
    response: { status: 204 },
    topics: ['account'],
    problems: ['not_found', 'session_required', 'role_forbidden'],
  }),
} as const
