import {
  hasNoSpaces,
  type ApplicationField,
  type ProviderAddress,
} from '../providers/application-field.ts'
import type { ProviderApplication } from '../providers/context.ts'
import type { Provider } from '../providers/provider.ts'
import { addressed, allProviders } from '../providers/find-provider.ts'

/** Holds what the settings say of the providers, by their names. */
export interface ProviderSettings {
  /** By the names of the descriptor's addresses. */
  readonly addresses: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Lists the addresses that the settings name. */
  readonly named: readonly string[]
  /** Those that the settings name whole; the others may be registered while the service runs. */
  readonly applications: Readonly<Record<string, ProviderApplication>>
}

type SettingTexts = ReadonlyMap<string, string>

/** Returns the name of a provider's setting. Example: `SIGNALBOX_<NAME>_CLIENT_ID`. */
export function settingOf(
  { name }: Pick<Provider, 'name'>,
  { setting }: { readonly setting: string },
): `SIGNALBOX_${string}` {
  return `SIGNALBOX_${name.toUpperCase().replaceAll('-', '_')}_${setting}`
}

/** Reads what the settings say of the providers. What is wrong is added to `violations`, one line each. */
export function readProviderSettings(texts: SettingTexts, violations: string[]): ProviderSettings {
  const addresses = addressed.map((provider) => {
    const entries = provider.addresses.map((address) => [
      address.name,
      readBase(texts, violations, { name: settingOf(provider, address), address }),
    ])
    return [provider.name, Object.fromEntries(entries)]
  })
  const named = addressed.flatMap((provider) =>
    [...provider.addresses, ...(provider.application?.fields ?? [])].flatMap((of) => {
      const text = of.setting.endsWith('URL') ? texts.get(settingOf(provider, of)) : undefined
      return text !== undefined && URL.canParse(text) ? [text] : []
    }),
  )
  const applications = allProviders.flatMap((provider) => {
    const application = readApplication(texts, violations, provider)
    if (application === undefined) return []
    requireAddresses(texts, violations, provider)
    return [[provider.name, application]]
  })
  return {
    addresses: Object.fromEntries(addresses),
    named,
    applications: Object.fromEntries(applications),
  }
}

/** An application at a further instance connects nobody without its address. */
function requireAddresses(texts: SettingTexts, violations: string[], provider: Provider): void {
  for (const address of provider.addresses) {
    const name = settingOf(provider, address)
    if (address.default !== '' || texts.has(name)) continue
    violations.push(`${name} is missing, but other settings of the same application are set.`)
  }
}

function readApplication(
  texts: SettingTexts,
  violations: string[],
  provider: Provider,
): ProviderApplication | undefined {
  const { fields } = provider.application
  const fieldTexts = readWhole(
    texts,
    violations,
    fields.map((field) => settingOf(provider, field)),
  )
  if (fieldTexts === undefined) return undefined
  const values: Record<string, string> = {}
  let webhookSecrets: readonly string[] = []
  for (const [index, field] of fields.entries()) {
    const name = settingOf(provider, field)
    const text = fieldTexts[index] ?? ''
    if (field.role === 'webhookSecret') {
      webhookSecrets = listOf(text)
      for (const secret of webhookSecrets) requireNoSpaces(name, secret, violations)
    } else values[field.name] = readValue(field, { name, text }, violations)
  }
  return { values, webhookSecrets }
}

function readValue(
  { isMultiline, check }: ApplicationField,
  { name, text }: { readonly name: string; readonly text: string },
  violations: string[],
): string {
  // Files of environment variables hold no line breaks.
  const value = isMultiline ? text.replaceAll('\\n', '\n') : text
  if (check?.setting !== undefined && !check.accepts(value)) {
    violations.push(`${name} must be ${check.setting}`)
  } else if (check === undefined && isMultiline !== true) {
    requireNoSpaces(name, value, violations)
  }
  return value
}

function requireNoSpaces(name: string, value: string, violations: string[]): void {
  if (!hasNoSpaces(value)) violations.push(`${name} must not contain spaces. Copy the value again.`)
}

/** Returns the values of all of the settings, in their order, or none: half an application connects nobody. */
export function readWhole(
  texts: SettingTexts,
  violations: string[],
  names: readonly string[],
): readonly string[] | undefined {
  const missing = names.filter((name) => !texts.has(name))
  if (missing.length === names.length) return undefined
  for (const name of missing) {
    violations.push(`${name} is missing, but other settings of the same application are set.`)
  }
  if (missing.length > 0) return undefined
  return names.map((name) => texts.get(name) ?? '')
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** Reads an address that paths are added to, kept without a slash at its end. */
function readBase(
  texts: SettingTexts,
  violations: string[],
  { name, address }: { readonly name: string; readonly address: ProviderAddress },
): string {
  const otherwise = address.default
  const text = texts.get(name)
  if (text === undefined) return otherwise
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url?.search === '' && url.hash === '' && url.username === ''
  if (url !== undefined && isPlain && /^https?:$/.test(url.protocol)) {
    return url.href.replace(/\/+$/, '')
  }
  const example = otherwise === '' ? 'https://git.example.com' : otherwise
  violations.push(`${name} must be an address such as ${example}.`)
  return otherwise
}
