import { z } from 'zod/v4'
import { verbs } from '../../access-rules.ts'
import { apiKeyKinds, keyAccesses } from '../../tokens.ts'
import { person } from '../access.ts'
import { roles } from '../../roles.ts'
import { declareEndpoints } from '../endpoint.ts'
import { givenPersonName, newPassword, secondFactorCode, typedPassword } from '../shapes.ts'
import { organization, user } from './shapes.ts'

/** Declares the endpoints of a person's own account. */
export const accountEndpoints = declareEndpoints({ tag: 'Identity' })({
  whoAmI: {
    method: 'GET',
    path: '/me',
    summary: 'The owner of the credentials, and the organizations in reach.',
    access: { kind: 'identified' },
    response: {
      status: 200,
      body: z.object({
        type: z.enum(['user', 'api_key', 'bootstrap']),
        id: z.string().nullable(),
        name: z.string(),
        email: z.string().nullable(),
        keyKind: z.enum(apiKeyKinds).nullable(),
        /** Says whether the key writes. `null`: these credentials are no API key. */
        keyAccess: z.enum(keyAccesses).nullable(),
        environmentIds: z.array(z.string()).nullable(),
        schemaIds: z.array(z.string()).nullable(),
        /** Holds the second factor. `null`: these credentials belong to no person. */
        secondFactor: z.object({ on: z.boolean(), recoveryCodesLeft: z.number().int() }).nullable(),
        /** Says whether the person is an operator, who may use `/server`. */
        isOperator: z.boolean(),
        /**
         * Holds the position to open a stream of events with: it then sends at least the changes after this response.
         * `null`: these credentials open no stream.
         */
        lastEventId: z.string().nullable(),
        /** Says whether these credentials create organizations here. */
        mayCreateOrganizations: z.boolean(),
        /** Holds the address that applications read: `SIGNALBOX_CONFIG_URL` of the server. */
        configUrl: z.string(),
        /** Holds the days after which this server deletes deployments. `null`: never. */
        deploymentsKeptDays: z.number().int().nullable(),
        organizations: z.array(
          organization.extend({
            /** Holds the role that the person has everywhere, by their own or by a grant. `null`: it is an API key. */
            role: z.enum(roles).nullable(),
            /** Says what the credentials may do, with the environments and schemas; `null`: every one. */
            permissions: z.array(
              z.object({
                verbs: z.array(z.enum(verbs)),
                environmentIds: z.array(z.string()).nullable(),
                schemaIds: z.array(z.string()).nullable(),
              }),
            ),
            /** Says why the organization keeps the person out: a code of the problems, and what to do. `null`: it does not. */
            rejection: z.object({ code: z.string(), detail: z.string() }).nullable(),
            /** Limits the days that a token of a person works there. `null`: no limit. */
            tokenDays: z.number().int().nullable(),
          }),
        ),
      }),
    },
    topics: ['account', 'organization', 'member'],
  },
  updateMe: {
    method: 'PATCH',
    path: '/me',
    summary: 'Change your own name.',
    access: person,
    body: z.strictObject({ name: givenPersonName }),
    response: { status: 200, body: user },
    topics: ['account', 'member'],
    problems: ['role_forbidden'],
  },
  changePassword: {
    method: 'PUT',
    path: '/me/password',
    summary: 'Change your password. This ends all your other sessions.',
    description:
      'Wrong passwords count like those of the sign-in. With a second factor, `code` is required too. Personal access tokens stay valid: revoke them separately if others may know them.',
    access: person,
    rateClass: 'signIn',
    body: z.strictObject({
      currentPassword: typedPassword,
      newPassword,
      code: secondFactorCode.optional(),
    }),
    response: { status: 204 },
    topics: ['account'],
    problems: [
      'second_factor_required',
      'session_required',
      'role_forbidden',
      'sealed',
      'overloaded',
    ],
  },
})
