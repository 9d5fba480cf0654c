import type { FieldCheck } from './application-field.ts'
import type { ProviderContext } from './context.ts'

/** Says what a registration is begun with. */
export interface RegistrationRequest {
  /** Where browsers reach this server. */
  readonly publicUrl: string
  /** Where browsers come back to that connect an organization. */
  readonly callbackUrl: string
  /** Where the provider is to send webhooks; `undefined`: nowhere. */
  readonly webhookUrl: string | undefined
  /** Where the browser comes back to with a code. */
  readonly returnUrl: string
  /** Comes back with the code, unchanged. */
  readonly state: string
  /** The account at the provider that the application is to belong to. Left out: the person's own. */
  readonly account: string | undefined
}

/** Holds the form that a browser sends to the provider. */
export interface RegistrationForm {
  readonly action: string
  /** JSON: sent as the field `manifest`. */
  readonly manifest: string
}

/** Holds an application as the provider made it. */
export interface RegisteredApplication {
  /** As the provider calls it. */
  readonly name: string
  /** By the names of the descriptor's fields, without the webhook secret. */
  readonly values: Readonly<Record<string, string>>
  readonly webhookSecret: string | null
  /** The detail of the audit event: it names the application, and holds no secret. */
  readonly identity: Readonly<Record<string, string>>
}

/** Describes how a provider makes the application of this server by itself, from a manifest that a browser brings it. */
export interface ApplicationRegistration {
  /** Says how long the provider waits for the end, in milliseconds. */
  readonly lifetimeMs: number
  /** Checks the name of an account at the provider. */
  readonly account: FieldCheck
  /** Lists what a person should know before, besides what is so at every provider. */
  readonly notes: (publicUrl: string) => readonly string[]
  readonly begin: (
    context: Pick<ProviderContext, 'addresses'>,
    request: RegistrationRequest,
  ) => RegistrationForm
  /** Fetches the application that the provider made, which returns it once. @throws {ProviderError} */
  readonly finish: (context: ProviderContext, code: string) => Promise<RegisteredApplication>
}
