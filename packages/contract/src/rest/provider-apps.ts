import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { integrationProviders } from './integration-shapes.ts'
import { author, time } from './shapes.ts'

const operator = { kind: 'operator' } as const
const base = '/server/provider-apps' as const
const common = { tag: 'Server' } as const

/** As the providers show it beside the application. */
const clientId = z.string().trim().min(1).max(200)
const secret = z.string().trim().min(16).max(500)

/**
 * What an application is registered with. A secret that is left out stays as it is stored, of the same application only.
 * Another webhook or signing secret than the stored one takes its place beside it: for 24 hours both are good.
 */
const givenApp = z.discriminatedUnion('provider', [
  z.strictObject({
    provider: z.literal('github'),
    appId: z.string().regex(/^\d{1,20}$/, 'Give the number that GitHub shows as the App ID.'),
    slug: z
      .string()
      .regex(/^[a-z0-9](?:[a-z0-9-]{0,99})$/, 'Give the name in the address of the App’s page.'),
    clientId,
    clientSecret: secret.optional(),
    /** PEM, as GitHub gives it. */
    privateKey: z.string().min(1).max(20_000).optional(),
    /** `null`: no webhook is accepted. */
    webhookSecret: secret.nullish(),
  }),
  z.strictObject({ provider: z.literal('jira'), clientId, clientSecret: secret.optional() }),
  z.strictObject({
    provider: z.literal('slack'),
    clientId,
    clientSecret: secret.optional(),
    /** `null`: no request of Slack is accepted. */
    signingSecret: secret.nullish(),
  }),
])

/** How an application stands. Never a secret. */
const providerApp = z
  .object({
    provider: z.enum(integrationProviders),
    isSetUp: z.boolean(),
    /** What is in force: settings count before what is stored. `null`: there is neither. */
    source: z.enum(['settings', 'stored']).nullable(),
    /** Whether one is stored, be it in force or not. */
    isStored: z.boolean(),
    appId: z.string().nullable(),
    slug: z.string().nullable(),
    clientId: z.string().nullable(),
    /** Whether what the provider sends can be checked, and is accepted. `null`: it sends nothing. */
    acceptsWebhooks: z.boolean().nullable(),
    /** Until when the secret that was replaced is good as well. `null`: there is none. */
    previousSecretUntil: time.nullable(),
    /** Where the application is registered, by a person. */
    registerUrl: z.string(),
    /** What to enter there. */
    callbackUrl: z.string(),
    webhookUrl: z.string().nullable(),
    /** What to tick there. */
    permissions: z.record(z.string(), z.enum(['read', 'write'])),
    events: z.array(z.string()),
    scopes: z.array(z.string()),
    updatedAt: time.nullable(),
    updatedBy: author.nullable(),
  })
  .meta({ id: 'ProviderApp' })
export type ProviderAppAnswer = z.input<typeof providerApp>

/** Of an account on GitHub. */
const githubLogin = z
  .string()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$/, 'Give the name of an organization on GitHub.')

export const providerAppEndpoints = {
  listProviderApps: endpoint({
    ...common,
    operationId: 'listProviderApps',
    method: 'GET',
    path: base,
    summary: 'The applications of this server at the providers, and what to enter there.',
    access: operator,
    response: { status: 200, body: z.object({ items: z.array(providerApp) }) },
    problems: ['sealed'],
  }),
  saveProviderApp: endpoint({
    ...common,
    operationId: 'saveProviderApp',
    method: 'PUT',
    path: `${base}/{provider}`,
    summary:
      'Store the application, sealed. A replaced webhook secret stays good beside the new one for 24 hours.',
    access: operator,
    stepUp: true,
    body: givenApp,
    response: { status: 200, body: providerApp },
    problems: ['sealed', 'not_found'],
  }),
  deleteProviderApp: endpoint({
    ...common,
    operationId: 'deleteProviderApp',
    method: 'DELETE',
    path: `${base}/{provider}`,
    summary: 'Forget the stored application; what is connected through it stops working.',
    access: operator,
    stepUp: true,
    response: { status: 204 },
    problems: ['not_found'],
  }),
  endPreviousSecret: endpoint({
    ...common,
    operationId: 'endPreviousSecret',
    method: 'DELETE',
    path: `${base}/{provider}/previous-secret`,
    summary: 'The new webhook secret works: end the one that it replaced now.',
    access: operator,
    stepUp: true,
    response: { status: 204 },
    problems: ['sealed', 'not_found'],
  }),
  getGithubManifest: endpoint({
    ...common,
    operationId: 'getGithubManifest',
    method: 'GET',
    path: `${base}/github/manifest`,
    summary:
      'What a form posts to GitHub to register the App in one click: `manifest` to `action`, within an hour.',
    access: operator,
    stepUp: true,
    query: z.strictObject({ organization: githubLogin.optional() }),
    response: {
      status: 200,
      body: z.object({
        /** With the state in it. */
        action: z.string(),
        /** JSON. */
        manifest: z.string(),
        state: z.string(),
      }),
    },
    problems: ['not_found'],
  }),
  finishGithubManifest: endpoint({
    ...common,
    operationId: 'finishGithubManifest',
    method: 'GET',
    path: `${base}/github/manifest/callback`,
    summary: 'Where GitHub sends the browser back to; a page that says what next, or why not.',
    access: { kind: 'open' },
    query: z.object({
      code: z.string().max(200).optional(),
      state: z.string().max(500).optional(),
    }),
    response: { status: 200, contentType: 'text/html' },
    problems: [],
  }),
  readGithubAppPage: endpoint({
    ...common,
    operationId: 'readGithubAppPage',
    method: 'GET',
    path: '/setup/github-app',
    summary: 'The page with the button that registers the GitHub App, for whoever runs the server.',
    access: { kind: 'open' },
    query: z.object({ organization: z.string().max(100).optional() }),
    response: { status: 200, contentType: 'text/html' },
    problems: [],
  }),
} as const
