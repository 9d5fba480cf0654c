import { z } from 'zod'
import { person } from '../access.ts'
import { roles } from '../../roles.ts'
import { endpoint } from '../endpoint.ts'
import { givenPersonName, newPassword, secondFactorCode, typedPassword } from '../shapes.ts'
import { organization, user } from './shapes.ts'

/** Declares the endpoints of a person's own account. */
export const accountEndpoints = {
  whoAmI: endpoint({
    operationId: 'whoAmI',
    method: 'GET',
    path: '/me',
    tag: 'Identity',
    summary: 'Who the credentials belong to and what they reach.',
    access: { kind: 'identified' },
    response: {
      status: 200,
      body: z.object({
        type: z.enum(['user', 'api_key', 'bootstrap']),
        id: z.string().nullable(),
        name: z.string(),
        email: z.string().nullable(),
        keyKind: z.enum(['b2m', 'm2m']).nullable(),
        environmentIds: z.array(z.string()).nullable(),
        schemaIds: z.array(z.string()).nullable(),
        /** `null`: these credentials are no person's. */
        secondFactor: z.object({ on: z.boolean(), recoveryCodesLeft: z.number().int() }).nullable(),
        /** True when they run this server, and reach what is under `/server`. */
        isOperator: z.boolean(),
        /** With what to open a stream of events, for it to tell at least what is not in anything read after this answer; `null`: these credentials open none. */
        lastEventId: z.string().nullable(),
        organizations: z.array(organization.extend({ role: z.enum(roles).nullable() })),
      }),
    },
    topics: ['account', 'organization', 'member'],
    problems: [],
  }),
  updateMe: endpoint({
    operationId: 'updateMe',
    method: 'PATCH',
    path: '/me',
    tag: 'Identity',
    summary: 'Change one’s own name.',
    access: person,
    body: z.strictObject({ name: givenPersonName }),
    response: { status: 200, body: user },
    topics: ['account', 'member'],
    problems: ['role_forbidden'],
  }),
  changePassword: endpoint({
    operationId: 'changePassword',
    method: 'PUT',
    path: '/me/password',
    tag: 'Identity',
    summary: 'Change the password, which ends all other sessions.',
    description:
      'Guessing costs what it costs at the sign-in. With a second factor, `code` is needed as well. Personal access tokens stay: revoke them beside it if they may be known to others.',
    access: person,
    rateClass: 'signIn',
    body: z.strictObject({
      currentPassword: typedPassword,
      newPassword,
      code: secondFactorCode.optional(),
    }),
    response: { status: 204 },
    topics: ['account'],
    problems: ['second_factor_required', 'session_required', 'role_forbidden', 'sealed'],
  }),
} as const
