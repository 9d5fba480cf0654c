import type { AnswerOf, RequestOf } from '../../api/routes.ts'

/** Describes the application that a server has at a provider. */
export type ProviderApp = AnswerOf<'GET /server/provider-apps'>['items'][number]

type GivenApp = NonNullable<RequestOf<'PUT /server/provider-apps/{provider}'>['body']>

/** Returns what a form about an application says. A secret that is left empty stays as it is stored. */
export function toProviderApp(
  provider: ProviderApp['provider'],
  field: (name: string) => string,
): GivenApp {
  const secret = (name: string) => {
    const text = field(name).trim()
    return text === '' ? {} : { [name]: text }
  }
  const common = { clientId: field('clientId').trim(), ...secret('clientSecret') }
  switch (provider) {
    case 'github':
      return {
        provider,
        ...common,
        appId: field('appId').trim(),
        slug: field('slug').trim(),
        ...secret('privateKey'),
        ...secret('webhookSecret'),
      }
    case 'jira':
      return { provider, ...common }
    case 'slack':
      return { provider, ...common, ...secret('signingSecret') }
    default:
      throw new Error(`No form for an application at ${provider}`)
  }
}
