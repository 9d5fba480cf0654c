import { z } from 'zod/v4'
import { open } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'

/** Names the grant that exchanges the token of a Kubernetes service account (RFC 7523 §2.1). */
export const assertionGrantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

export const accessTokenEndpoints = declareEndpoints({ tag: 'Identity' })({
  exchangeToken: {
    method: 'POST',
    path: '/oauth/token',
    summary:
      'Exchange an API key or the token of a Kubernetes service account for an access token of 15 minutes, or the code of a device or an assistant for a token.',
    description:
      'RFC 6749 §4.4. `client_id` is the id of the key, `client_secret` the key. As form fields, as JSON, or with HTTP Basic. Errors have the form of RFC 6749 §5.2. A device that started at `/oauth/device_authorization` gets its personal access token here, for 90 days, once a person has approved it (RFC 8628 §3.4). With the `grant_type` `urn:ietf:params:oauth:grant-type:jwt-bearer`, `client_id` is the id of a key and `assertion` the token of a Kubernetes service account that is pinned to it, made for the address of this server as its audience (RFC 7523 §2.1). An assistant that a member has allowed at `/oauth/authorize` sends `grant_type=authorization_code` with `client_id`, `code`, `redirect_uri`, `code_verifier` and `resource`, and later `grant_type=refresh_token` with `client_id` and `refresh_token`.',
    access: open,
    rateClass: 'open',
    response: {
      status: 200,
      body: z.object({
        access_token: z.string(),
        token_type: z.literal('Bearer'),
        expires_in: z.number().int().optional(),
        /** Holds what an assistant asks for its next access token with. Every use replaces it. */
        refresh_token: z.string().optional(),
        /** Says what the member has allowed an assistant. Example: `read write`. */
        scope: z.string().optional(),
      }),
    },
    // No read shows the token of a client.
    topics: [],
  },
})
