import type { ProblemLocation } from '@signalbox/contract'
import type { BodyOf, providerAppEndpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import { hasNoSpaces, isSecret, type ApplicationField } from '../../providers/application-field.ts'
import type { Provider } from '../../providers/provider.ts'
import {
  valueFields,
  webhookField,
  type HookSecrets,
  type StoredApplication,
} from './stored-application.ts'

/** Limits the time in which a replaced webhook secret is good beside the new one. */
const previousSecretMs = 24 * 3600 * 1000

/** Describes an application as a person enters it. */
export type GivenApplication = BodyOf<typeof providerAppEndpoints.saveProviderApp>

type Described = Pick<Provider, 'name' | 'application'>

const noSecrets: HookSecrets = { hookSecret: null, previousSecret: null }

/** Returns the schema of what a person enters of a provider's application. A secret may be left out. */
export function formOf(provider: Described): z.ZodType<GivenApplication> {
  const fields: Record<string, z.ZodType<string | null | undefined>> = {}
  for (const field of provider.application.fields) fields[field.name] = formOfField(field)
  return z.strictObject({ ...fields, provider: z.literal(provider.name) })
}

/** Says what is wrong with an ID or a secret that has white space in it. */
export const noSpaces = 'This field must not contain spaces. Copy the value again.'

function formOfField({
  role,
  isMultiline,
  check,
}: ApplicationField): z.ZodType<string | null | undefined> {
  if (isMultiline) return z.string().min(1).max(20_000).optional()
  const secret = z.string().trim().min(16).max(500).refine(hasNoSpaces, noSpaces)
  if (role === 'secret') return secret.optional()
  if (role === 'webhookSecret') return secret.nullish()
  const text = z.string().trim().min(1).max(200)
  return check === undefined
    ? text.refine(hasNoSpaces, noSpaces)
    : text.refine(check.accepts, check.advice)
}

/** Holds what is to be stored, with the names of what differs, or what is wrong with what was entered. */
export type MergedApplication =
  | { readonly application: StoredApplication; readonly changed: readonly string[] }
  | { readonly errors: readonly ProblemLocation[] }

/**
 * Merges what was entered with what is stored. Secrets that were left out stay, if it is the same application: those of
 * another one would not fit.
 */
export function mergeApplication(
  provider: Described,
  input: GivenApplication,
  { stored, now }: { readonly stored: StoredApplication | undefined; readonly now: Date },
): MergedApplication {
  const former = stored !== undefined && isSame(provider, input, stored) ? stored : undefined
  const errors = [...listMissingSecrets(provider, input, stored), ...wrongSecrets(provider, input)]
  if (errors.length > 0) return { errors }
  const values = valueFields(provider).map(({ name }) => [
    name,
    input[name] ?? former?.values[name] ?? '',
  ])
  const field = webhookField(provider)
  const secrets = field ? replaceHookSecret(input[field.name], former, now) : noSecrets
  const application = { values: Object.fromEntries(values), ...secrets }
  return { application, changed: changedFields(provider, application, former) }
}

function isSame(provider: Described, input: GivenApplication, stored: StoredApplication): boolean {
  return provider.application.fields
    .filter(({ role }) => role === 'identity')
    .every(({ name }) => stored.values[name] === input[name])
}

/** Lists the secrets that were left out where nothing is stored of the same application. */
export function listMissingSecrets(
  provider: Described,
  input: GivenApplication,
  stored: StoredApplication | undefined,
): ProblemLocation[] {
  if (stored !== undefined && isSame(provider, input, stored)) return []
  return valueFields(provider)
    .filter((field) => isSecret(field) && input[field.name] === undefined)
    .map(({ name }) =>
      errorAt(name, 'This field is required: the server has no stored value for it.'),
    )
}

function wrongSecrets(provider: Described, input: GivenApplication): ProblemLocation[] {
  return valueFields(provider).flatMap((field) => {
    const value = input[field.name]
    const isGiven = isSecret(field) && typeof value === 'string'
    if (!isGiven || field.check === undefined || field.check.accepts(value)) return []
    return [errorAt(field.name, field.check.advice)]
  })
}

function errorAt(name: string, detail: string): ProblemLocation {
  return { pointer: `/${name}`, code: 'validation_failed', detail }
}

/** Keeps the former secret: the provider uses it until a person enters the new one there. */
function replaceHookSecret(
  input: string | null | undefined,
  { hookSecret, previousSecret }: HookSecrets = noSecrets,
  now: Date,
): HookSecrets {
  if (input === undefined || input === hookSecret) return { hookSecret, previousSecret }
  if (input === null) return noSecrets
  if (hookSecret === null) return { hookSecret: input, previousSecret: null }
  const until = new Date(now.getTime() + previousSecretMs)
  return { hookSecret: input, previousSecret: { secret: hookSecret, until } }
}

/** Names only, for the audit log. */
function changedFields(
  provider: Described,
  next: StoredApplication,
  former: StoredApplication | undefined,
): string[] {
  const names = valueFields(provider).map(({ name }) => name)
  const changed = names.filter((name) => next.values[name] !== former?.values[name])
  const hasHooks = webhookField(provider) !== undefined
  return hasHooks && next.hookSecret !== former?.hookSecret ? [...changed, 'hookSecret'] : changed
}
