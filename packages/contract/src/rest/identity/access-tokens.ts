import { z } from 'zod/v4'
import { open } from '../access.ts'
import { endpoint } from '../endpoint.ts'

/** Declares the endpoints of access tokens. */
export const accessTokenEndpoints = {
  exchangeToken: endpoint({
    operationId: 'exchangeToken',
    method: 'POST',
    path: '/oauth/token',
    tag: 'Identity',
    summary:
      'Exchange an API key for an access token of 15 minutes (OAuth 2.0 client credentials), or the code of a device for a token.',
    description:
      'RFC 6749 §4.4. `client_id` is the id of the key, `client_secret` the key. As form fields, as JSON, or with HTTP Basic. Errors have the form of RFC 6749 §5.2. A device that started at `/oauth/device_authorization` gets its personal access token here, for 90 days, once a person has approved it (RFC 8628 §3.4).',
    access: open,
    rateClass: 'open',
    response: {
      status: 200,
      body: z.object({
        access_token: z.string(),
        token_type: z.literal('Bearer'),
        expires_in: z.number().int().optional(),
      }),
    },
    // No read shows the token of a client.
    topics: [],
    problems: [],
  }),
} as const
