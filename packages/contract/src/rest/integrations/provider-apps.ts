import { z } from 'zod'
import { open, operator } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { author, time } from '../shapes.ts'
import { providerName } from './shapes.ts'

/** One value of an application, for the form that asks for it. */
const field = z.object({
  name: z.string(),
  label: z.string(),
  /** Typed and never shown. */
  isSecret: z.boolean(),
  /** `true`: an application is none without it. */
  isRequired: z.boolean(),
  /** `true`: with another value it is another application, whose stored secrets do not fit. */
  isIdentity: z.boolean(),
  isMultiline: z.boolean(),
  hint: z.string().nullable(),
  placeholder: z.string().nullable(),
  /** As it is in force; `null` of a secret, and where there is none. */
  value: z.string().nullable(),
})

/** How an application stands. Never a secret. */
const providerApp = z
  .object({
    provider: providerName,
    /** The provider as people write it. */
    displayName: z.string(),
    isSetUp: z.boolean(),
    /** Names the credentials in force: settings count before stored ones. `null`: there are neither. */
    source: z.enum(['settings', 'stored']).nullable(),
    /** True when an application is stored, be it in force or not. */
    isStored: z.boolean(),
    /** Lists the fields that identify it, in the order of the form. */
    fields: z.array(field),
    /** True when the provider's webhooks can be verified and are accepted. `null`: it sends none. */
    acceptsWebhooks: z.boolean().nullable(),
    /** Until when the secret that was replaced is good as well. `null`: there is none. */
    previousSecretUntil: time.nullable(),
    /** Where the application is registered, by a person. */
    registerUrl: z.string(),
    /** Our page on which the provider makes it in one click; `null`: it does not. Example: `/setup/example-app`. */
    setupUrl: z.string().nullable(),
    /** To be entered at the provider. */
    callbackUrl: z.string(),
    webhookUrl: z.string().nullable(),
    /** To be ticked at the provider. */
    permissions: z.record(z.string(), z.enum(['read', 'write'])),
    events: z.array(z.string()),
    scopes: z.array(z.string()),
    updatedAt: time.nullable(),
    updatedBy: author.nullable(),
  })
  .meta({ id: 'ProviderApp' })

export type ProviderAppAnswer = z.input<typeof providerApp>

const common = { tag: 'Server' } as const
const base = '/server/provider-apps' as const

/**
 * Holds what an application is registered with: the fields that its answer lists, each as text. A secret that is left out stays as
 * it is stored, of the same application only. Another webhook secret than the stored one takes its place beside it: for 24
 * hours both are good. `null` in its place: no webhook is accepted.
 */
const givenApp = z.object({ provider: providerName }).catchall(z.string().max(20_000).nullish())

/** Declares the endpoints of provider apps. */
export const providerAppEndpoints = {
  listProviderApps: endpoint({
    ...common,
    operationId: 'listProviderApps',
    method: 'GET',
    path: base,
    summary: 'The applications of this server at the providers, and what to enter there.',
    access: operator,
    response: { status: 200, body: z.object({ items: z.array(providerApp) }) },
    topics: ['server', 'integration'],
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
    topics: ['server', 'integration'],
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
    topics: ['server', 'integration'],
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
    topics: ['server'],
    problems: ['sealed', 'not_found'],
  }),
  getApplicationManifest: endpoint({
    ...common,
    operationId: 'getApplicationManifest',
    method: 'GET',
    path: `${base}/{provider}/manifest`,
    summary:
      'What a form posts to a provider that makes the application by itself, in one click: `manifest` to `action`, in time.',
    access: operator,
    stepUp: true,
    query: z.strictObject({
      /** The account at the provider that it is to belong to. Default: the person's own. */
      organization: z.string().max(100).optional(),
    }),
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
    // Each answer is good once.
    topics: [],
    problems: ['not_found'],
  }),
  finishApplicationManifest: endpoint({
    ...common,
    operationId: 'finishApplicationManifest',
    method: 'GET',
    path: `${base}/{provider}/manifest/callback`,
    summary:
      'Where the provider sends the browser back to; a page that says what next, or why not.',
    access: open,
    query: z.object({
      code: z.string().max(200).optional(),
      state: z.string().max(500).optional(),
    }),
    response: { status: 200, contentType: 'text/html' },
    // Opened by the browser, and shown by nobody.
    topics: [],
    problems: ['not_found'],
  }),
  readApplicationPage: endpoint({
    ...common,
    operationId: 'readApplicationPage',
    method: 'GET',
    /** The name of the provider and `-app`, as the application's answer has it in `setupUrl`. */
    path: '/setup/{page}',
    summary: 'The page with the button that registers an application, for whoever runs the server.',
    access: open,
    query: z.object({ organization: z.string().max(100).optional() }),
    response: { status: 200, contentType: 'text/html' },
    // Opened by the browser, and shown by nobody.
    topics: [],
    problems: ['not_found'],
  }),
} as const
