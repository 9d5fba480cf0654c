import { z } from 'zod/v4'
import { author, credential, id, time } from '../shapes.ts'
import { accessLevels, capability } from './capabilities.ts'

/** Lists the kinds of integration as they appear in paths, with the providers of each. */
export const integrationKinds = ['codehost', 'tracker', 'chat'] as const

export type IntegrationKind = (typeof integrationKinds)[number]

/** Describes the name of a provider in paths. The service knows the list; providers come and go. */
export const providerName = z.string().regex(/^[a-z][a-z0-9-]{1,30}$/)

/**
 * Lists the states of an integration. `pending`: the person was sent to the provider and has not come back. `degraded`: it works but
 * for what `stateReason` says. `reauth_required`: the provider takes our credentials no more; somebody has to connect again.
 * `renewal_refused`: the provider refuses for now to renew the access, and Signalbox tries again at `retryAt`; calls may fail until then.
 * `suspended`: switched off at the provider's side. `disconnecting`: access ended here and is being revoked there.
 */
export const integrationStates = [
  'not_connected',
  'pending',
  'connected',
  'degraded',
  'renewal_refused',
  'reauth_required',
  'suspended',
  'disconnecting',
] as const

export type IntegrationState = (typeof integrationStates)[number]

/** Holds what went wrong last, and what a person does about it. */
const lastError = z.object({
  code: z.string(),
  detail: z.string(),
  nextStep: z.string(),
  at: time,
})

/** Describes the tile by which people recognize a provider: letters, and the hue of their color in degrees (OKLCH). */
export const providerIcon = z
  .object({ letters: z.string(), hue: z.number() })
  .meta({ id: 'ProviderIcon' })

export type ProviderIcon = z.infer<typeof providerIcon>

/** Describes a provider that can be connected. */
const choice = z.object({
  provider: providerName,
  displayName: z.string(),
  icon: providerIcon,
  /** Describes what a member enters to connect it. `null`: a browser is sent to the provider instead. */
  form: z
    .object({
      /** Says where the member gets the values. */
      advice: z.string(),
      fields: z.array(
        z.object({
          name: z.string(),
          label: z.string(),
          isSecret: z.boolean(),
          isRequired: z.boolean(),
          hint: z.string().nullable(),
          placeholder: z.string().nullable(),
        }),
      ),
    })
    .nullable(),
  /** Says what has to be connected before it, in sentences. `null`: it can be connected now. */
  needs: z.string().nullable(),
  /** Says in sentences what doesn’t work with `level=read`. `null`: the provider has no such level. */
  readOnlyAdvice: z.string().nullable(),
  /** Holds what only `level=full` requests: the scopes, and what they are for, in sentences. `null`: the provider has no such scopes. */
  moreAccess: z.object({ scopes: z.array(z.string()), advice: z.string() }).nullable(),
  /** Says what connecting it grants, and what follows, in sentences. `null`: the provider's page says it. */
  note: z.string().nullable(),
})

/** Holds the fields that every integration has. */
export const integrationFields = {
  id: id('int').nullable(),
  provider: providerName,
  /** Holds the provider's name for people. */
  displayName: z.string(),
  /** `null`: several providers can be connected, and a person chooses. */
  icon: providerIcon.nullable(),
  kind: z.enum(integrationKinds),
  state: z.enum(integrationStates),
  stateReason: z.string().nullable(),
  /** Holds when Signalbox tries again to renew the access, in the state `renewal_refused`. `null`: in all others. */
  retryAt: time.nullable(),
  /** Says whether this server has the credentials of an application at the provider. Without them nobody can connect. */
  isSetUp: z.boolean(),
  /** Lists the providers to choose from: those where this server has an application. */
  choices: z.array(choice),
  /** Says what to do next, in one sentence; `null`: nothing. */
  nextStep: z.string().nullable(),
  account: z.object({ id: z.string(), name: z.string(), url: z.string().nullable() }).nullable(),
  scopes: z.array(z.string()),
  /** Lists the requested scopes that were not granted, each with the feature that needs it. */
  missingScopes: z.array(z.object({ scope: z.string(), cost: z.string() })),
  /** Says how much access the connection has. `null`: nothing is connected, or the provider has no levels. */
  level: z.enum(accessLevels).nullable(),
  /** Lists what works with the connected account and what doesn’t. Empty: nothing is connected. */
  capabilities: z.array(capability),
  /** Lists in sentences what the connected provider can’t do for anybody. */
  limits: z.array(z.string()),
  connectedAt: time.nullable(),
  connectedBy: author.nullable(),
  /** Says what they were signed in with. `null`: an API key, or the service itself. */
  connectedWith: credential.nullable(),
  /** Holds the time at which the provider ends the access permanently. Connect again before. */
  reconnectBefore: time.nullable(),
  /** Says what a person does at the provider after disconnecting. `null`: Signalbox asks the provider to revoke the access. */
  revokeAdvice: z.string().nullable(),
  /** Says what else ends at the provider with the access. `null`: nothing. Example: `The bot leaves the server.` */
  revokeEffect: z.string().nullable(),
  /** Names the provider whose connection it uses. `null`: its own. */
  connectionOf: z.string().nullable(),
  /** Names the provider that uses its connection, and ends with it. `null`: none does. */
  usedBy: z.string().nullable(),
  /** Reports the last revocation at the provider, after a disconnection. */
  revocation: z
    .object({
      state: z.enum(['pending', 'revoked', 'failed', 'not_offered']),
      detail: z.string(),
      url: z.string().nullable(),
      at: time,
    })
    .nullable(),
  health: z.object({ lastOkAt: time.nullable(), lastError: lastError.nullable() }),
}

/** Lists the problems of a call that needs a provider. */
export const providerProblems = [
  'integration_not_connected',
  'reauth_required',
  'renewal_refused',
  'provider_error',
] as const
