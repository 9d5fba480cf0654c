import { z } from 'zod/v4'
import { open, person } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { emailAddress, secondFactorCode, time, typedPassword } from '../shapes.ts'
import { user } from './shapes.ts'

/** Describes a session as it crosses the wire. */
export const session = z
  .object({
    /** Example: `session_9f86d081884c7d659a2feaa0c55ad015`. Opens nothing. */
    id: z.string(),
    /** Says whether it is the session of this request. */
    current: z.boolean(),
    /** Names the browser and its system, as it reports them. Example: `Firefox on Linux`. */
    client: z.string().nullable(),
    /** Holds the address at the sign-in: an IPv4 address, or the /64 of an IPv6 one. */
    ip: z.string().nullable(),
    createdAt: time,
    /** Holds the time of the last request. Recorded once a minute. */
    lastUsedAt: time,
    expiresAt: time,
  })
  .meta({ id: 'Session' })

export const sessionEndpoints = declareEndpoints({ tag: 'Identity', topics: ['account'] })({
  signIn: {
    method: 'POST',
    path: '/sessions',
    summary: 'Sign in with e-mail and password. The response sets a session cookie.',
    description:
      'A person with a second factor also sends `code`: six digits from the authenticator, or a recovery code. Without it, the server answers the right password with `second_factor_required`.',
    access: open,
    rateClass: 'signIn',
    body: z.strictObject({
      email: emailAddress,
      password: typedPassword,
      code: secondFactorCode.optional(),
    }),
    response: { status: 201, body: z.object({ user, expiresAt: time }) },
    problems: ['invalid_credentials', 'second_factor_required', 'sealed'],
  },
  signOut: {
    method: 'DELETE',
    path: '/sessions/current',
    summary: 'End the session of this browser.',
    access: person,
    response: { status: 204 },
    problems: ['not_found'],
  },
  confirmSession: {
    method: 'POST',
    path: '/sessions/current/confirm',
    summary:
      'Confirm the password again, and a code of the second factor, for sensitive actions within the next ten minutes.',
    access: person,
    rateClass: 'signIn',
    body: z.strictObject({ password: typedPassword, code: secondFactorCode.optional() }),
    response: { status: 204 },
    problems: ['not_found', 'second_factor_required', 'sealed', 'overloaded'],
  },
  listSessions: {
    method: 'GET',
    path: '/sessions',
    summary: 'Your sessions, at most 100, last used first.',
    access: person,
    response: { status: 200, body: z.object({ items: z.array(session) }) },
    problems: ['role_forbidden'],
  },
  endSession: {
    method: 'DELETE',
    path: '/sessions/{session_id}',
    summary: 'End one of your sessions, immediately on every node.',
    access: person,
    response: { status: 204 },
    problems: ['not_found', 'role_forbidden'],
  },
  endOtherSessions: {
    method: 'DELETE',
    path: '/sessions',
    summary: 'End all your sessions except this one.',
    access: person,
    response: { status: 204 },
    problems: ['role_forbidden'],
  },
})
