import type { ProviderAppAnswer } from '@signalbox/contract/rest'
import { isSecret, type ApplicationField } from '../../providers/application-field.ts'
import type { ContextOf, ProviderApplication } from '../../providers/context.ts'
import { registrationPage, webhookUrl } from '../../providers/find-provider.ts'
import type { Provider } from '../../providers/provider.ts'
import { callbackUrl } from '../integration-deps.ts'
import { presentAuthor, presentCredential } from '../../audit/author.ts'
import type { ProviderAppRow } from './provider-app-rows.ts'
import { applicationAt, type StoredApplication } from './stored-application.ts'

/** Describes an application as it is shown: its stored fields and its state. */
export interface ShownApp {
  readonly provider: Provider
  readonly application: StoredApplication | undefined
  readonly row: ProviderAppRow | undefined
}

/** Lists what showing an application needs. */
export interface PresentAppDeps {
  /** The applications of the settings, which count before what is stored. */
  readonly settings: Readonly<Record<string, ProviderApplication>>
  readonly contextOf: ContextOf
  readonly publicUrl: () => string
  readonly now: () => Date
}

/** Presents an application to operators: each field by name, so that no secret comes along. */
export function presentProviderApp(deps: PresentAppDeps, app: ShownApp): ProviderAppAnswer {
  const { provider, application: stored, row } = app
  const { name, kind, displayName, icon, application } = provider
  const ofSettings = deps.settings[name]
  const current = ofSettings ?? (stored && applicationAt(stored, deps.now()))
  const values = current?.values ?? {}
  return {
    provider: name,
    kind,
    displayName,
    icon,
    isSetUp: current !== undefined,
    source: ofSettings !== undefined ? 'settings' : stored === undefined ? null : 'stored',
    isStored: row !== undefined,
    fields: application.fields.map((field) => presentField(field, values)),
    acceptsWebhooks: acceptsWebhooks(provider, current),
    previousSecretUntil: ofSettings ? null : previousSecretUntil(stored, deps.now()),
    setUpAdvice: application.setUpAdvice ?? null,
    registerUrl: application.registerUrl(deps.contextOf(name)),
    setupUrl: application.registration ? registrationPage(provider) : null,
    callbackUrl: callbackUrl(deps, kind),
    webhookUrl: webhookUrl(provider, deps.publicUrl()) ?? null,
    ...presentRequirements(application),
    ...presentUpdate(row),
  }
}

function presentRequirements({ permissions, events = [], scopes = [] }: Provider['application']) {
  return { permissions: { ...permissions }, events: [...events], scopes: [...scopes] }
}

function presentUpdate(row: ProviderAppRow | undefined) {
  return {
    updatedAt: row?.updatedAt.toISOString() ?? null,
    updatedBy: presentAuthor(row?.updatedBy ?? null),
    updatedWith: presentCredential(row?.updatedBy ?? null),
  }
}

function presentField(
  field: ApplicationField,
  values: ProviderApplication['values'],
): ProviderAppAnswer['fields'][number] {
  const { name, label, isMultiline = false, hint = null, placeholder = null } = field
  const hidden = isSecret(field)
  const value = hidden ? null : (values[name] ?? null)
  return {
    name,
    label,
    isSecret: hidden,
    isRequired: field.role !== 'webhookSecret',
    isIdentity: field.role === 'identity',
    isMultiline,
    hint,
    placeholder,
    value,
  }
}

/** `null`: it sends nothing, or there is no application. */
function acceptsWebhooks(
  { webhooks }: Provider,
  current: ProviderApplication | undefined,
): boolean | null {
  if (webhooks === undefined || current === undefined) return null
  return typeof webhooks.verifiedBy === 'object' || current.webhookSecrets.length > 0
}

function previousSecretUntil(stored: StoredApplication | undefined, now: Date): string | null {
  const until = stored?.previousSecret?.until
  return until !== undefined && until > now ? until.toISOString() : null
}
