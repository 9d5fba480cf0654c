import { z } from 'zod'
import type { ApplicationField } from '../../providers/application-field.ts'
import type { ProviderApplication } from '../../providers/context.ts'
import type { Provider } from '../../providers/provider.ts'

/** Holds what checks that a request is of the provider, and what it replaced. */
export interface HookSecrets {
  readonly hookSecret: string | null
  readonly previousSecret: { readonly secret: string; readonly until: Date } | null
}

/** Describes an application as it is stored, once it was opened. */
export interface StoredApplication extends HookSecrets {
  /** By the names of the descriptor's fields, without the webhook secret. */
  readonly values: Readonly<Record<string, string>>
}

type Described = Pick<Provider, 'name' | 'application'>

const hooks = z.object({
  hookSecret: z.string().nullable().default(null),
  previousSecret: z.object({ secret: z.string(), until: z.coerce.date() }).nullable().default(null),
})

/** Returns the fields whose values every application has: all but the webhook secret. */
export function valueFields({ application }: Described): readonly ApplicationField[] {
  return application.fields.filter(({ role }) => role !== 'webhookSecret')
}

/** Returns the field of the webhook secret, where the provider sends webhooks. */
export function webhookField({ application }: Described): ApplicationField | undefined {
  return application.fields.find(({ role }) => role === 'webhookSecret')
}

/** Renders the text that is sealed. */
export function renderApplication(
  provider: Described,
  { values, hookSecret, previousSecret }: StoredApplication,
): string {
  const secrets = webhookField(provider) && { hookSecret, previousSecret }
  return JSON.stringify({ provider: provider.name, ...values, ...secrets })
}

/**
 * Reads a text that was sealed.
 *
 * @throws {Error} when it is not of this version: its content is not repeated.
 */
export function parseApplication(provider: Described, text: string): StoredApplication {
  const fields = valueFields(provider).map(({ name }) => [name, z.string()] as const)
  const form = z.object(Object.fromEntries(fields))
  const json = readJson(text)
  const named = z.object({ provider: z.literal(provider.name) }).safeParse(json)
  const values = form.safeParse(json)
  const secrets = hooks.safeParse(json)
  if (!named.success || !values.success || !secrets.success) {
    throw new Error('A stored application has another form')
  }
  return { values: values.data, ...secrets.data }
}

/** The message of a parser's error holds the beginning of what it parsed. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the application without the secret that was replaced; `undefined` when there was none. */
export function endPrevious(application: StoredApplication): StoredApplication | undefined {
  if (application.previousSecret === null) return undefined
  return { ...application, previousSecret: null }
}

/** Returns the application as it is in force at a moment: the webhook secret in force first. */
export function applicationAt(
  { values, hookSecret, previousSecret }: StoredApplication,
  now: Date,
): ProviderApplication {
  const isOver = previousSecret === null || previousSecret.until <= now
  const secrets = isOver ? [hookSecret] : [hookSecret, previousSecret.secret]
  return { values, webhookSecrets: secrets.filter((secret) => secret !== null) }
}
