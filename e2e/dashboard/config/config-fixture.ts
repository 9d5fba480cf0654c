import type { Dashboard } from '../open-dashboard.ts'

type Ask = Dashboard['service']['ask']

export interface ConfigFixture {
  readonly schemaId: string
  /** By name. */
  readonly environments: Readonly<Record<string, string>>
  /** Sets values as somebody else would. */
  readonly set: (environment: string, values: Readonly<Record<string, unknown>>) => Promise<void>
  /** The values that clients receive in an environment. */
  readonly read: (environment: string) => Promise<Readonly<Record<string, { value?: unknown }>>>
}

/** A definition with each tier and type, with keys that are missing, inherited and the default. */
const definition = {
  apiUrl: {
    type: 'string',
    tier: 'public',
    description: 'Where the API answers',
    constraints: { format: 'uri' },
  },
  checkoutTimeoutMs: {
    type: 'number',
    tier: 'public',
    default: 1000,
    constraints: { minimum: 100, maximum: 60_000 },
  },
  newCheckout: { type: 'boolean', tier: 'featureFlags', default: false },
  searchV2: { type: 'boolean', tier: 'featureFlags' },
  stripeSecretKey: { type: 'string', tier: 'secret' },
  databaseUrl: { type: 'string', tier: 'secret', required: false },
  supportEmail: { type: 'string', tier: 'public', constraints: { format: 'email' } },
  welcomeText: { type: 'string', tier: 'public', required: false },
} as const

/** A schema called `web` with values in development, staging (which inherits from it) and production, and a segment. */
export async function createConfigFixture({ ask }: { readonly ask: Ask }): Promise<ConfigFixture> {
  const { items } = await ask<{ items: { id: string; name: string }[] }>('GET /environments')
  const environments = Object.fromEntries(items.map(({ id, name }) => [name, id]))
  await ask(`PATCH /environments/${environments['staging']}`, {
    parentId: environments['development'],
  })
  const schema = await ask<{ id: string }>('POST /config-schemas', {
    name: 'web',
    schema: definition,
  })
  const set: ConfigFixture['set'] = async (environment, values) => {
    await ask('PUT /config-values', {
      schemaId: schema.id,
      environmentId: environments[environment],
      values,
    })
  }
  await set('development', {
    apiUrl: 'https://api.dev.example.com',
    searchV2: true,
    stripeSecretKey: 'the secret of development',
    supportEmail: 'dev@example.com',
    welcomeText: '<img src=x onerror=alert(1)> \u202Eetirw\u202C שלום',
  })
  await set('staging', { checkoutTimeoutMs: 1500 })
  await set('production', {
    apiUrl: 'https://api.example.com',
    stripeSecretKey: 'the secret of production',
    databaseUrl: 'postgres://app@db/app',
    searchV2: false,
  })
  await ask('POST /segments', {
    name: 'staff',
    description: 'Everyone who works here',
    anyOf: [{ when: [{ attribute: 'email', operator: 'endsWith', value: '@acme.example' }] }],
  })
  return {
    schemaId: schema.id,
    environments,
    set,
    async read(environment) {
      const query = `schemaId=${schema.id}&environmentId=${environments[environment]}&reveal=true`
      const { values } = await ask<{ values: Record<string, { value?: unknown }> }>(
        `GET /config-values?${query}`,
      )
      return values
    },
  }
}

/** A request of the owner that sets a value of development, where nobody has to approve it. Returns its number. */
export async function askForChange(
  { ask }: { readonly ask: Ask },
  { schemaId, environments }: Pick<ConfigFixture, 'schemaId' | 'environments'>,
): Promise<string> {
  const set = { welcomeText: 'Good morning', stripeSecretKey: 'the next secret of development' }
  const { number } = await ask<{ number: number }>('POST /change-requests', {
    title: 'Say good morning',
    reason: 'The shop opens earlier',
    operation: {
      kind: 'values',
      body: { schemaId, changes: [{ environmentId: environments['development'], set }] },
    },
  })
  return String(number)
}
