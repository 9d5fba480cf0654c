import { z } from 'zod/v4'
import { open, person } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { time } from '../shapes.ts'

/** Names the client id of the command line, which has no secret (RFC 8628 §3.1). */
export const cliClientId = 'signalbox-cli'

/** Names the `grant_type` of RFC 8628 §3.4. */
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

/** Accepts the code in any case, with or without hyphens and spaces. Example: `WDJB-MJHT`. */
const userCode = z.string().min(1).max(40)
const body = z.strictObject({ userCode })

export const deviceEndpoints = declareEndpoints({ tag: 'Sign-in' })({
  authorizeDevice: {
    method: 'POST',
    path: '/oauth/device_authorization',
    summary: 'Start the sign-in of a device without a browser (RFC 8628 §3.1).',
    description:
      'As form fields or as JSON: `client_id` is `signalbox-cli`, and the person who approves the device sees `device_name`, such as the name of the machine. Errors have the form of RFC 6749 §5.2. Then ask `POST /oauth/token` with `grant_type=urn:ietf:params:oauth:grant-type:device_code`, `client_id` and `device_code`, every `interval` seconds.',
    access: open,
    rateClass: 'signIn',
    response: {
      status: 200,
      body: z.object({
        device_code: z.string(),
        /** Example: `WDJB-MJHT`. */
        user_code: z.string(),
        verification_uri: z.string(),
        verification_uri_complete: z.string(),
        expires_in: z.number().int(),
        interval: z.number().int(),
      }),
    },
    // Nobody has claimed it yet.
    topics: [],
  },
  claimDevice: {
    method: 'POST',
    path: '/device/claim',
    summary:
      'The device that shows this code. After this request, only the same person can approve or deny it.',
    access: person,
    rateClass: 'signIn',
    body,
    response: {
      status: 200,
      body: z.object({
        /** Holds the code as the device shows it, for comparison. */
        userCode: z.string(),
        /** Reports the device's own name for itself. It is not verified. */
        deviceName: z.string(),
        ip: z.string(),
        requestedAt: time,
        expiresAt: time,
      }),
    },
    // The scope that the device asks for is in the answer.
    topics: [],
    problems: ['not_found', 'session_required', 'role_forbidden'],
  },
  approveDevice: {
    method: 'POST',
    path: '/device/approve',
    summary:
      'Approve the device: it gets a personal access token of the person who claimed its code.',
    access: person,
    stepUp: true,
    body: body.extend({
      /** Says whether the token gets the right to manage. The person decides it, and never the device. */
      manages: z.boolean().default(false),
    }),
    response: { status: 204 },
    topics: ['account'],
    problems: ['not_found', 'session_required', 'role_forbidden', 'quota_exceeded'],
  },
  denyDevice: {
    method: 'POST',
    path: '/device/deny',
    summary: 'Deny the device whose code the person claimed.',
    access: person,
    body,
    response: { status: 204 },
    // A denied request leaves nothing to show.
    topics: [],
    problems: ['not_found', 'session_required', 'role_forbidden'],
  },
})
