import { z } from 'zod/v4'
import { admin, open, viewerOrKey } from '../access.ts'
import { codehostStatus } from '../deployments/codehost.ts'
import { trackerStatus } from '../deployments/tracker.ts'
import { declareEndpoints } from '../endpoint.ts'
import { chatStatus } from '../notifications/chat.ts'
import { ownPath } from '../shapes.ts'
import { integrationFields, integrationKinds, providerName } from './shapes.ts'

const base = '/organizations/{org_id}/integrations' as const

export const integrationEndpoints = declareEndpoints({
  tag: 'Integrations',
  topics: ['integration'],
})({
  listIntegrations: {
    method: 'GET',
    path: base,
    summary: 'The integrations of the organization and their states.',
    access: viewerOrKey,
    agents: 'read',
    response: {
      status: 200,
      body: z.object({ codehost: codehostStatus, tracker: trackerStatus, chat: chatStatus }),
    },
  },
  authorizeIntegration: {
    method: 'GET',
    path: `${base}/{kind}/oauth/authorize`,
    pathValues: { kind: integrationKinds },
    summary: 'Start a connection: returns the URL for the browser. It works once, for ten minutes.',
    access: admin,
    opens: 'door',
    query: z.strictObject({
      /** Names the provider. Default: the only one of the kind that is set up. */
      provider: providerName.optional(),
      /**
       * `read` requests only what reading takes, where the provider has such a level. `full` requests everything. Default: everything but
       * `moreAccess`.
       */
      level: z.enum(['read', 'full']).optional(),
      returnTo: ownPath.optional(),
    }),
    response: { status: 200, body: z.object({ url: z.string() }) },
    // Each response is valid once.
    topics: [],
    problems: ['provider_not_set_up'],
  },
  finishAuthorization: {
    method: 'GET',
    path: '/integrations/{kind}/oauth/callback',
    pathValues: { kind: integrationKinds },
    summary:
      'The callback of the provider: continues to the dashboard, or shows a page with the reason.',
    access: open,
    // Each provider adds parameters of its own, such as the number of an account.
    query: z.looseObject({
      code: z.string().max(2000).optional(),
      state: z.string().max(2000).optional(),
      error: z.string().max(200).optional(),
    }),
    response: {
      status: 303,
      also: {
        status: 400,
        contentType: 'text/html',
        when: 'A page with the reason of a failed connection.',
      },
    },
    // Opened by the browser, and shown by nobody.
    topics: [],
    problems: ['not_found'],
  },
  connectIntegration: {
    method: 'POST',
    path: `${base}/{kind}/connection`,
    pathValues: { kind: integrationKinds },
    summary:
      'Connect a provider whose choice has a form: its values are checked at the provider, and secrets are stored encrypted.',
    access: admin,
    opens: 'door',
    body: z.strictObject({
      provider: providerName,
      /** Holds the values by the names of the form’s fields. */
      values: z.record(z.string().max(50), z.string().max(2000)),
    }),
    response: { status: 200, body: z.object(integrationFields) },
    problems: [
      'validation_failed',
      'provider_not_set_up',
      'provider_error',
      'integration_exists',
      'integration_not_connected',
      'reauth_required',
      'conflict',
      'session_required',
    ],
  },
  disconnectIntegration: {
    method: 'DELETE',
    path: `${base}/{kind}`,
    pathValues: { kind: integrationKinds },
    summary:
      'Disconnect. Signalbox stops using the access immediately, and keeps asking the provider for up to three days to revoke it.',
    access: admin,
    stepUp: true,
    response: { status: 204 },
  },
})
