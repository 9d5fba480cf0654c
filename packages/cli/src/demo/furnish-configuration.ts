import { randomBytes } from 'node:crypto'
import type { KeyNotes } from '@signalbox/contract'

/** Describes the configuration of the demo, as its application reads it. */
export interface DemoConfiguration {
  readonly schemaId: string
  /** Names the environment that the application reads. */
  readonly environment: string
  readonly environmentId: string
}

/** Describes where the configuration is written. */
export interface FurnishOptions {
  /** Calls an endpoint below the organization. */
  readonly call: (
    method: string,
    path: string,
    body: object,
  ) => Promise<Readonly<Record<string, unknown>>>
  /** Returns the id of an environment. */
  readonly idOf: (environment: string) => string
}

const text = (constraints: object, more: object = {}) => ({ type: 'string', constraints, ...more })
const number = (constraints: object, more: object = {}) => ({
  type: 'number',
  constraints,
  ...more,
})
const json = (constraints: object, more: object = {}) => ({ type: 'json', constraints, ...more })
const flag = (description: string, notes: KeyNotes = {}) => ({
  type: 'boolean',
  tier: 'featureFlags',
  default: false,
  description,
  ...notes,
})

/** Returns a day in the future. Example: `2027-01-31`. */
const inDays = (days: number) =>
  new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10)

/** Holds every tier and type, and constraints of each kind. */
export const shopSchema = {
  storeName: text({ minLength: 1, maxLength: 40 }, { tier: 'public', default: 'Acme Shop' }),
  announcement: text(
    { maxLength: 120 },
    { tier: 'public', default: '', description: 'A line above the products. Empty: none' },
  ),
  currency: text({ enum: ['EUR', 'USD', 'GBP'] }, { tier: 'public', default: 'EUR' }),
  supportEmail: text({ format: 'email' }, { tier: 'public', default: 'help@acme.example' }),
  catalogPageSize: number(
    { minimum: 1, maximum: 8, multipleOf: 1 },
    { tier: 'public', default: 4, description: 'How many products a page shows' },
  ),
  freeShippingFrom: number({ minimum: 0 }, { tier: 'public', default: 50 }),
  cartItemsMax: number(
    { minimum: 1, maximum: 500, multipleOf: 1 },
    { tier: 'public', default: 20, targeted: true, description: 'How much one order may have' },
  ),
  supportHours: json(
    {
      type: 'object',
      properties: { days: { type: 'string' }, from: { type: 'number' }, until: { type: 'number' } },
      required: ['days', 'from', 'until'],
    },
    { tier: 'public', default: { days: 'Mon–Fri', from: 9, until: 17 } },
  ),
  showPrices: { type: 'boolean', tier: 'public', default: true },
  paymentApiKey: text(
    { pattern: '^pay_' },
    { tier: 'secret', description: 'Secret key of the payment provider' },
  ),
  sessionSecret: text({ minLength: 32 }, { tier: 'secret' }),
  smtpPassword: text(
    { minLength: 8 },
    { tier: 'secret', description: 'Token of the mail service that sends receipts' },
  ),
  newCheckout: flag('Customers pay in one step instead of three', {
    owner: 'Checkout team',
    tags: ['checkout', 'experiment'],
    expires: inDays(60),
  }),
  recommendations: flag('Customers see products that others bought', {
    owner: 'Growth',
    tags: ['catalog'],
    killSwitch: true,
  }),
  searchSuggestions: flag('The search proposes products while a customer types', {
    owner: 'Growth',
    tags: ['catalog', 'experiment'],
  }),
  productLayout: {
    ...flag('How the products stand on the page', { owner: 'Growth', tags: ['experiment'] }),
    variants: [
      { name: 'list', on: false },
      { name: 'grid', on: true },
      { name: 'gallery', on: true },
    ],
  },
  maintenance: flag('Closes the shop'),
}

/** Holds the segment that the rule of a flag refers to. */
const staff = {
  name: 'staff',
  description: 'People who work at Acme',
  anyOf: [{ when: [{ attribute: 'email', operator: 'endsWith', value: '@acme.example' }] }],
}

/** Describes one write: it becomes one version of the environment. */
interface Change {
  readonly environment: string
  readonly values: Readonly<Record<string, unknown>>
  readonly rules?: Readonly<Record<string, readonly object[]>>
  readonly comment: string
}

const first = 'Add the first values'
const secret = (prefix = '') => `${prefix}${randomBytes(24).toString('hex')}`
const keysOf = (kind: string) => ({
  paymentApiKey: secret(`pay_${kind}_`),
  sessionSecret: secret(),
})

/** Holds what came after the first values. The page size of staging differs. */
const laterChanges: readonly Change[] = [
  {
    environment: 'staging',
    values: { catalogPageSize: 6 },
    comment: 'Try six products on a page',
  },
  {
    environment: 'staging',
    values: { searchSuggestions: false },
    rules: {
      searchSuggestions: [
        {
          when: [{ operator: 'segment', segment: staff.name }],
          serve: true,
        },
      ],
    },
    comment: 'Let our staff try the search suggestions',
  },
  {
    environment: 'production',
    values: { recommendations: false },
    rules: { recommendations: [{ when: [], serve: { percent: 25 } }] },
    comment: 'Show recommendations to a quarter of the customers',
  },
  {
    environment: 'production',
    values: { cartItemsMax: 20 },
    rules: {
      cartItemsMax: [
        {
          description: 'business customers',
          when: [{ attribute: 'plan', operator: 'equals', value: 'business' }],
          serve: { value: 200 },
        },
      ],
    },
    comment: 'Business customers order more',
  },
  {
    environment: 'staging',
    values: { productLayout: false },
    rules: {
      productLayout: [
        {
          when: [],
          serve: {
            split: [
              { variant: 'list', percent: 50 },
              { variant: 'grid', percent: 30 },
              { variant: 'gallery', percent: 20 },
            ],
          },
        },
      ],
    },
    comment: 'Compare three layouts',
  },
]

/** Returns the history of the shop. Production lacks a secret. */
function listChanges(): readonly Change[] {
  return [
    {
      environment: 'development',
      values: { ...keysOf('test'), smtpPassword: secret(), newCheckout: true },
      comment: first,
    },
    {
      environment: 'staging',
      values: { ...keysOf('test'), smtpPassword: secret() },
      comment: first,
    },
    { environment: 'production', values: keysOf('live'), comment: first },
    ...laterChanges,
  ]
}

/** Names the environment of the application: a person may change it without a confirmation. */
const environment = 'staging'

/** Creates the schema `shop` with its segment and its values, as a team has them after a while. */
export async function furnishConfiguration({
  call,
  idOf,
}: FurnishOptions): Promise<DemoConfiguration> {
  const description = 'The web shop of Acme'
  const schema = { name: 'shop', description, schema: shopSchema }
  const { id } = await call('POST', '/config-schemas', schema)
  const schemaId = String(id)
  // Before the values: a rule may only refer to a segment that exists.
  await call('POST', '/segments', staff)
  for (const { environment: name, ...change } of listChanges()) {
    await call('PUT', '/config-values', { schemaId, environmentId: idOf(name), ...change })
  }
  return { schemaId, environment, environmentId: idOf(environment) }
}
