import { readWhole } from './provider-settings.ts'

/** The OpenID provider that people may sign in with, if the settings name one. */
export type OidcSettings =
  | {
      readonly issuer: string
      readonly clientId: string
      readonly clientSecret: string
      readonly name: string
    }
  | undefined

type Given = ReadonlyMap<string, string>

/** Reads what the settings say of the OpenID provider. What is wrong is added to `faults`, one line each. */
export function readOidcSettings(given: Given, faults: string[]): OidcSettings {
  const name = given.get('SIGNALBOX_OIDC_NAME')?.trim()
  const client = readWhole(given, faults, {
    prefix: 'SIGNALBOX_OIDC_',
    names: { issuer: 'ISSUER', clientId: 'CLIENT_ID', clientSecret: 'CLIENT_SECRET' },
  })
  if (client === undefined) return undefined
  const { issuer } = client
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  const isPlain = url?.search === '' && url.hash === '' && url.username === ''
  if (url === undefined || !isPlain || !/^https?:$/.test(url.protocol)) {
    faults.push(
      'SIGNALBOX_OIDC_ISSUER must be the address by which the provider names itself, such as https://id.example.com.',
    )
    return undefined
  }
  return { ...client, name: name === undefined || name === '' ? url.host : name.slice(0, 60) }
}
