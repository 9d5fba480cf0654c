import type { ApplicationField } from './application-field.ts'
import { valueOf, type ProviderApplication } from './context.ts'

/** Returns the fields of an OAuth client. `of` names it in sentences. Example: `the app at Acme Chat`. */
export function clientFields(of: string): readonly ApplicationField[] {
  return [
    {
      name: 'clientId',
      setting: 'CLIENT_ID',
      meaning: `OAuth client ID of ${of}.`,
      label: 'Client ID',
      role: 'identity',
    },
    {
      name: 'clientSecret',
      setting: 'CLIENT_SECRET',
      meaning: `OAuth client secret of ${of}.`,
      label: 'Client secret',
      role: 'secret',
    },
  ]
}

/** Holds the OAuth client of this server at a provider. */
export interface ClientApplication {
  readonly clientId: string
  readonly clientSecret: string
}

/** Renders the header with which a client authenticates (RFC 6749 §2.3.1). */
export function toBasic({ clientId, clientSecret }: ClientApplication): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
}

/** Returns the OAuth client that the values of an application describe. */
export function toClient({ values }: Pick<ProviderApplication, 'values'>): ClientApplication {
  return {
    clientId: valueOf(values, 'clientId'),
    clientSecret: valueOf(values, 'clientSecret'),
  }
}
