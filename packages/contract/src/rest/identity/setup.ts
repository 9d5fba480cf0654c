import { z } from 'zod/v4'
import { keyAccesses } from '../../tokens.ts'
import { open } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { emailAddress, givenDisplayName, givenPersonName, id, newPassword } from '../shapes.ts'
import { apiKeyWithSecret } from './api-keys.ts'
import { organization, user } from './shapes.ts'

/** Declares the endpoints of the set-up. */
export const setupEndpoints = declareEndpoints({ tag: 'Setup' })({
  completeSetup: {
    method: 'POST',
    path: '/setup',
    summary: 'Create the first owner and organization with the one-time setup link.',
    description:
      'Also creates a browser key, and with `withServerKey` a server key, which reads everything and, with `serverKeyAccess: write`, writes it too. Both expire after 90 days.',
    access: open,
    rateClass: 'signIn',
    body: z.strictObject({
      token: z.string().max(200),
      name: givenPersonName,
      email: emailAddress,
      password: newPassword,
      organizationName: givenDisplayName,
      /** Says whether a key is created that reads everything of the organization. */
      withServerKey: z.boolean().default(false),
      /** Says whether that key writes everything too. */
      serverKeyAccess: z.enum(keyAccesses).default('write'),
    }),
    response: {
      status: 201,
      body: z.object({
        user,
        organization,
        environments: z.array(z.object({ id: id('env'), name: z.string() })),
        keys: z.array(apiKeyWithSecret),
        /** Holds the address from which applications read their configuration. */
        configUrl: z.string(),
      }),
    },
    topics: ['account', 'organization'],
    problems: ['setup_forbidden', 'setup_closed'],
  },
})
