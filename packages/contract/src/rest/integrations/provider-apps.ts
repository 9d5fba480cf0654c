import { z } from 'zod/v4'
import { open, operator } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { author, credential, time } from '../shapes.ts'
import { integrationKinds, providerIcon, providerName } from './shapes.ts'

/** Describes one field of an application, for its form. */
const field = z.object({
  name: z.string(),
  label: z.string(),
  /** Says that the value can be entered and is never shown. */
  isSecret: z.boolean(),
  /** Says that the application needs it. */
  isRequired: z.boolean(),
  /** Says that it identifies the application: the stored secrets belong to one value of it. */
  isIdentity: z.boolean(),
  isMultiline: z.boolean(),
  hint: z.string().nullable(),
  placeholder: z.string().nullable(),
  /** Holds the current value. `null`: a secret, or none. */
  value: z.string().nullable(),
})

/** Describes the state of an application. It never contains a secret. */
const providerApp = z
  .object({
    provider: providerName,
    kind: z.enum(integrationKinds),
    /** Holds the provider's name for people. */
    displayName: z.string(),
    icon: providerIcon,
    isSetUp: z.boolean(),
    /** Names the credentials in force: settings count before stored ones. `null`: there are neither. */
    source: z.enum(['settings', 'stored']).nullable(),
    /** Says whether an application is stored, even if the settings override it. */
    isStored: z.boolean(),
    /** Lists the fields that identify it, in the order of the form. */
    fields: z.array(field),
    /** Says whether the provider's webhooks can be verified and are accepted. `null`: it sends none. */
    acceptsWebhooks: z.boolean().nullable(),
    /** Holds the time until which the replaced secret is valid too. `null`: there is none. */
    previousSecretUntil: time.nullable(),
    /** Says what to enter where nothing is registered at the provider. `null`: an application is registered there. */
    setUpAdvice: z.string().nullable(),
    /** Holds the page on which a person registers the application. */
    registerUrl: z.string(),
    /**
     * Holds the path of our page that registers it in one click. `null`: the provider does not offer that. Example:
     * `/setup/example-app`.
     */
    setupUrl: z.string().nullable(),
    /** Lists the values to enter at the provider. */
    callbackUrl: z.string(),
    webhookUrl: z.string().nullable(),
    /** Lists the options to tick at the provider. */
    permissions: z.record(z.string(), z.enum(['read', 'write'])),
    events: z.array(z.string()),
    scopes: z.array(z.string()),
    updatedAt: time.nullable(),
    updatedBy: author.nullable(),
    /** Says what they were signed in with. `null`: an API key, or the service itself. */
    updatedWith: credential.nullable(),
  })
  .meta({ id: 'ProviderApp' })

export type ProviderAppAnswer = z.input<typeof providerApp>

const base = '/server/provider-apps' as const

/**
 * Holds what an application is registered with: the fields that its answer lists, each as text. A secret that is left out stays as
 * it is stored, of the same application only. Another webhook secret than the stored one takes its place beside it: for 24
 * hours both are good. `null` in its place: no webhook is accepted.
 */
const givenApp = z.object({ provider: providerName }).catchall(z.string().max(20_000).nullish())

export const providerAppEndpoints = declareEndpoints({
  tag: 'Server',
  topics: ['server', 'integration'],
})({
  listProviderApps: {
    method: 'GET',
    path: base,
    summary: 'The applications of this server at the providers, with the values to enter there.',
    access: operator,
    response: { status: 200, body: z.object({ items: z.array(providerApp) }) },
    problems: ['sealed'],
  },
  saveProviderApp: {
    method: 'PUT',
    path: `${base}/{provider}`,
    summary:
      'Store an application, encrypted. The server accepts a replaced webhook secret for another 24 hours.',
    access: operator,
    opens: 'door',
    body: givenApp,
    response: { status: 200, body: providerApp },
    problems: ['sealed', 'not_found'],
  },
  deleteProviderApp: {
    method: 'DELETE',
    path: `${base}/{provider}`,
    summary: 'Delete a stored application. Integrations that use it stop working.',
    access: operator,
    stepUp: true,
    response: { status: 204 },
    problems: ['not_found'],
  },
  endPreviousSecret: {
    method: 'DELETE',
    path: `${base}/{provider}/previous-secret`,
    summary: 'End the replaced webhook secret now.',
    access: operator,
    stepUp: true,
    response: { status: 204 },
    topics: ['server'],
    problems: ['sealed', 'not_found'],
  },
  getApplicationManifest: {
    method: 'GET',
    path: `${base}/{provider}/manifest`,
    summary:
      'The form that creates the application at a provider in one click: post `manifest` to `action` before it expires.',
    access: operator,
    opens: 'door',
    query: z.strictObject({
      /** Names the account at the provider that will own it. Default: the person's own. */
      organization: z.string().max(100).optional(),
    }),
    response: {
      status: 200,
      body: z.object({
        /** Holds the address with the state. */
        action: z.string(),
        /** Holds JSON. */
        manifest: z.string(),
        state: z.string(),
      }),
    },
    // Each response is valid once.
    topics: [],
    problems: ['not_found'],
  },
  finishApplicationManifest: {
    method: 'GET',
    path: `${base}/{provider}/manifest/callback`,
    summary: 'The callback of the provider: a page with the next step, or the reason of a failure.',
    access: open,
    query: z.object({
      code: z.string().max(200).optional(),
      state: z.string().max(500).optional(),
    }),
    response: { status: 200, contentType: 'text/html' },
    // Opened by the browser, and shown by nobody.
    topics: [],
    problems: ['not_found'],
  },
  readApplicationPage: {
    method: 'GET',
    /** Holds the provider's name and `-app`, as in `setupUrl`. */
    path: '/setup/{page}',
    summary: 'The page on which an operator registers an application.',
    access: open,
    query: z.object({ organization: z.string().max(100).optional() }),
    response: { status: 200, contentType: 'text/html' },
    // Opened by the browser, and shown by nobody.
    topics: [],
    problems: ['not_found'],
  },
})
