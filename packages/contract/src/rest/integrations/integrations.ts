import { z } from 'zod/v4'
import { admin, open, viewerOrKey } from '../access.ts'
import { codehostStatus } from '../deployments/codehost.ts'
import { trackerStatus } from '../deployments/tracker.ts'
import { endpoint } from '../endpoint.ts'
import { chatStatus } from '../notifications/chat.ts'
import { ownPath } from '../shapes.ts'
import { integrationKinds, providerName } from './shapes.ts'

const common = { tag: 'Integrations' } as const

const base = '/organizations/{org_id}/integrations' as const

/** Declares the endpoints of integrations. */
export const integrationEndpoints = {
  listIntegrations: endpoint({
    ...common,
    operationId: 'listIntegrations',
    method: 'GET',
    path: base,
    summary: 'How each integration of the organization stands.',
    access: viewerOrKey,
    response: {
      status: 200,
      body: z.object({ codehost: codehostStatus, tracker: trackerStatus, chat: chatStatus }),
    },
    topics: ['integration'],
    problems: [],
  }),
  authorizeIntegration: endpoint({
    ...common,
    operationId: 'authorizeIntegration',
    method: 'GET',
    path: `${base}/{kind}/oauth/authorize`,
    pathValues: { kind: integrationKinds },
    summary:
      'Where to send the browser to connect, with a signed state that works once, for ten minutes.',
    access: admin,
    query: z.strictObject({
      /** Names the provider. Default: the only one of the kind that is set up. */
      provider: providerName.optional(),
      returnTo: ownPath.optional(),
    }),
    response: { status: 200, body: z.object({ url: z.string() }) },
    // Each response is valid once.
    topics: [],
    problems: ['provider_not_set_up'],
  }),
  finishAuthorization: endpoint({
    ...common,
    operationId: 'finishAuthorization',
    method: 'GET',
    path: '/integrations/{kind}/oauth/callback',
    pathValues: { kind: integrationKinds },
    summary:
      'Where the provider sends the browser back to; goes on to the dashboard, or to a page that says why not.',
    access: open,
    // Each provider adds parameters of its own, such as the number of an account.
    query: z.looseObject({
      code: z.string().max(2000).optional(),
      state: z.string().max(2000).optional(),
      error: z.string().max(200).optional(),
    }),
    response: {
      status: 303,
      also: { status: 400, contentType: 'text/html', when: 'A page that says why not.' },
    },
    // Opened by the browser, and shown by nobody.
    topics: [],
    problems: ['not_found'],
  }),
  disconnectIntegration: endpoint({
    ...common,
    operationId: 'disconnectIntegration',
    method: 'DELETE',
    path: `${base}/{kind}`,
    pathValues: { kind: integrationKinds },
    summary:
      'Disconnect: access ends here with the answer; the provider is asked to revoke it for three days.',
    access: admin,
    stepUp: true,
    response: { status: 204 },
    topics: ['integration'],
    problems: [],
  }),
} as const
