import type { Registration } from '../create-app.ts'
import { parsePermissions } from '../access/permissions.ts'

/** Holds the registration that a manifest asks for, or its problems, one line each. */
export type ParsedManifest =
  | { readonly registration: Omit<Registration, 'owner'>; readonly redirectUrl: string }
  | { readonly problems: readonly string[] }

/**
 * Parses the manifest of an app. Unlike on GitHub, its addresses may be of this machine.
 *
 * @see https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 */
export function parseManifest(text: string): ParsedManifest {
  const manifest = parseRecord(text)
  if (manifest === undefined) return { problems: ['The manifest is not a JSON object.'] }
  const permissions = parsePermissions(manifest['default_permissions'] ?? {})
  const hook = toRecord(manifest['hook_attributes'])
  const redirectUrl = urlOf(manifest['redirect_url'])
  const externalUrl = urlOf(manifest['url'])
  const callbackUrls = textsOf(manifest['callback_urls'])
  const hookUrl = urlOf(hook?.['url'])
  const rules: readonly (readonly [isKept: boolean, problem: string])[] = [
    [redirectUrl !== undefined, 'redirect_url is not a URL.'],
    [externalUrl !== undefined, 'url is not a URL.'],
    [permissions !== undefined, 'default_permissions names one that does not exist.'],
    [
      callbackUrls.every((url) => URL.canParse(url)),
      'callback_urls has an entry that is not a URL.',
    ],
    [callbackUrls.length <= 10, 'callback_urls has more than ten.'],
    [hook === undefined || hookUrl !== undefined, 'hook_attributes has no address.'],
  ]
  const problems = rules.flatMap(([isKept, problem]) => (isKept ? [] : [problem]))
  const isWhole =
    redirectUrl !== undefined && externalUrl !== undefined && permissions !== undefined
  if (!isWhole || problems.length > 0) return { problems }
  const webhookUrl = hook?.['active'] === false ? undefined : hookUrl
  const read = { externalUrl, callbackUrls, webhookUrl, permissions }
  return { registration: { ...read, ...optionsOf(manifest) }, redirectUrl }
}

/** Returns the optional members. */
function optionsOf(manifest: Readonly<Record<string, unknown>>) {
  return {
    name: textOf(manifest['name']) ?? '',
    description: textOf(manifest['description']) ?? null,
    isPublic: manifest['public'] === true,
    setupUrl: urlOf(manifest['setup_url']),
    requestsUserOnInstall: manifest['request_oauth_on_install'] === true,
    redirectsOnUpdate: manifest['setup_on_update'] === true,
    events: textsOf(manifest['default_events']),
  }
}

function parseRecord(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return toRecord(JSON.parse(text))
  } catch {
    return undefined
  }
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isRecord ? Object.fromEntries(Object.entries(value)) : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function urlOf(value: unknown): string | undefined {
  return typeof value === 'string' && URL.canParse(value) ? value : undefined
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
