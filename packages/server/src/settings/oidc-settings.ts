import { readWhole } from './provider-settings.ts'

/** Describes the OpenID provider that people may sign in with; `undefined` when the settings name none. */
export type OidcSettings =
  | {
      readonly issuer: string
      readonly clientId: string
      readonly clientSecret: string
      readonly name: string
      /** Names the scopes that a sign-in asks for. Example: `openid email profile groups`. */
      readonly scope: string
      /** Names the claim that lists the groups of a person. */
      readonly groupsClaim: string
    }
  | undefined

type SettingTexts = ReadonlyMap<string, string>

const variables = [
  'SIGNALBOX_OIDC_ISSUER',
  'SIGNALBOX_OIDC_CLIENT_ID',
  'SIGNALBOX_OIDC_CLIENT_SECRET',
] as const

/** Reads what the settings say of the OpenID provider. What is wrong is added to `violations`, one line each. */
export function readOidcSettings(texts: SettingTexts, violations: string[]): OidcSettings {
  const client = readWhole(texts, violations, variables)
  if (client === undefined) return undefined
  const [issuer = '', clientId = '', clientSecret = ''] = client
  const url = parseIssuer(issuer)
  if (url === undefined) {
    violations.push(
      'SIGNALBOX_OIDC_ISSUER must be the issuer URL of the provider, such as https://id.example.com.',
    )
    return undefined
  }
  const read = (variable: string, otherwise: string) => texts.get(variable)?.trim() || otherwise
  const scope = read('SIGNALBOX_OIDC_SCOPE', 'openid email profile')
  if (!scope.split(/\s+/).includes('openid')) {
    violations.push(
      'SIGNALBOX_OIDC_SCOPE must list scopes with spaces between, openid among them, such as "openid email profile groups".',
    )
  }
  return {
    issuer,
    clientId,
    clientSecret,
    name: read('SIGNALBOX_OIDC_NAME', url.host).slice(0, 60),
    scope,
    groupsClaim: read('SIGNALBOX_OIDC_GROUPS_CLAIM', 'groups'),
  }
}

/** Returns the address of an issuer; `undefined` unless it is plain http(s), as OpenID Connect Discovery §2 asks for. */
function parseIssuer(issuer: string): URL | undefined {
  if (!URL.canParse(issuer)) return undefined
  const url = new URL(issuer)
  const isPlain = url.search === '' && url.hash === '' && url.username === ''
  return isPlain && /^https?:$/.test(url.protocol) ? url : undefined
}
