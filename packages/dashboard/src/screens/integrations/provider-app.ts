import type { AnswerOf, RequestOf } from '../../api/routes.ts'

/** Describes the application that a server has at a provider. */
export type ProviderApp = AnswerOf<'GET /server/provider-apps'>['items'][number]

type ProviderAppInput = NonNullable<RequestOf<'PUT /server/provider-apps/{provider}'>['body']>

/** Reads the form of an application. A secret field that is left empty keeps the stored secret. */
export function toProviderApp(
  { provider, fields }: Pick<ProviderApp, 'provider' | 'fields'>,
  read: (name: string) => string,
): ProviderAppInput {
  const entries = fields.flatMap(({ name, isSecret }) => {
    const text = read(name).trim()
    return isSecret && text === '' ? [] : [[name, text] as const]
  })
  return { ...Object.fromEntries(entries), provider }
}

/** Returns the value that identifies an application at the provider, such as its client id. `undefined`: unknown. */
export function identityOf({ fields }: Pick<ProviderApp, 'fields'>): string | undefined {
  const values = fields.filter(({ isIdentity }) => isIdentity).map(({ value }) => value)
  return values.at(-1) ?? undefined
}

/** Returns whether the provider creates the application from a page of this server. */
export function canRegister({ setupUrl, isSetUp }: ProviderApp): boolean {
  return setupUrl !== null && !isSetUp
}
