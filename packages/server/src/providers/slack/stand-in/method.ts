import type { AuthorizationCodes } from '../../../../../sandbox/src/oauth/authorization-codes.ts'
import type { SlackEvents } from './events.ts'
import type { SlackState } from './state.ts'
import type { SlackToken, SlackTokens } from './tokens.ts'

/** Holds what a person has authorized. */
export interface ProtectedChange {
  readonly scopes: readonly string[]
  readonly userScopes: readonly string[]
  /** Says that the request named the redirect address, which the exchange of the code must then name again. */
  readonly sentRedirectUri: boolean
}

/** Holds the parts that every method works on. */
export interface SlackParts {
  readonly state: SlackState
  readonly tokens: SlackTokens
  readonly codes: AuthorizationCodes<ProtectedChange>
  readonly events: SlackEvents
}

/** Describes an authorized call of a method. */
export interface SlackCall extends SlackParts {
  /** Maps the sent fields to text. Other values are JSON. */
  readonly fields: ReadonlyMap<string, string>
  /** Example: `http://127.0.0.1:4500`. */
  readonly origin: string
  readonly token: SlackToken
}

/** Describes the body of a response. With `ok: false`, `error` holds the reason. */
export type SlackBody =
  | { readonly ok: true; readonly [name: string]: unknown }
  | { readonly ok: false; readonly error: string; readonly [name: string]: unknown }

/** Describes a method that needs a token. */
export interface SlackMethod {
  /**
   * Lists the scopes of which the token needs one. Empty: any token will do. The method itself checks what depends on
   * the arguments.
   */
  readonly scopes: readonly string[]
  readonly run: (call: SlackCall) => SlackBody
}

/** Returns Slack's rejection. Example: `refuse('channel_not_found')`. */
export function refuse(error: string, more: Readonly<Record<string, unknown>> = {}): SlackBody {
  return { ok: false, error, ...more }
}

/** Returns Slack's rejection of a token that lacks the scope `needed`. */
export function missingScope({ scopes }: SlackToken, needed: string): SlackBody {
  return refuse('missing_scope', { needed, provided: [...scopes].join(',') })
}

/** Returns Slack's rejection of a call that lacks an argument. */
export function missingField(name: string): SlackBody {
  return refuse('invalid_arguments', {
    response_metadata: { messages: [`[ERROR] missing required field: ${name}`] },
  })
}

/** Returns the value of an optional field. An empty one counts as absent. */
export function fieldOf({ fields }: Pick<SlackCall, 'fields'>, name: string): string | undefined {
  const value = fields.get(name)
  return value === '' ? undefined : value
}

/** Returns whether a flag such as `exclude_archived` is set. */
export function isSet(call: Pick<SlackCall, 'fields'>, name: string): boolean {
  return ['true', '1'].includes(fieldOf(call, name) ?? '')
}
