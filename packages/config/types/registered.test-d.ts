// A project that has registered its configuration: keys and values are known, without a generator.
import {
  boolean,
  declaredLimits,
  defineConfig,
  flag,
  fromJsonSchema,
  limit,
  number,
  oneOf,
  optional,
  string,
  targeted,
  typed,
  type BrowserKey,
  type KnownValues,
} from '@signalbox/config'
import { createConfigClient, type ConfigClient } from '@signalbox/config/client'
import { Secrets } from '@signalbox/config/server'
import { createTestConfigClient } from '@signalbox/config/testing'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { type } from 'arktype'
import { Schema } from 'effect'
import Joi from 'joi'
import * as sury from 'sury'
import { Type } from 'typebox'
import * as v from 'valibot'
import * as z from 'zod'
import { expectSame } from './expect-type.ts'

declare const untyped: StandardSchemaV1

export const config = defineConfig({
  public: {
    apiUrl: string({ url: true, default: 'https://a.example' }),
    pageSize: z.number().default(20),
    theme: oneOf(['light', 'dark'], { default: 'light' }),
    size: v.picklist(['s', 'm']),
    region: type("'eu' | 'us'"),
    label: Joi.string().required(),
    title: sury.string,
    tagged: Schema.toStandardSchemaV1(Schema.String),
    color: fromJsonSchema(Type.Union([Type.Literal('red'), Type.Literal('blue')])),
    contact: z.email().optional(),
    nickname: optional(string()),
    token: typed('string', untyped),
    verbose: z.boolean(),
    seats: limit({ min: 1, max: 500, default: 5 }),
    model: targeted(oneOf(['small', 'large'], { default: 'small' })),
    plan: optional(targeted(z.enum(['free', 'pro']))),
  },
  secret: { stripeKey: string({ prefix: 'sk_' }), retries: number({ integer: true }) },
  featureFlags: {
    newCheckout: boolean({ default: false }),
    beta: z.boolean(),
    layout: flag.variants({ control: { on: false }, blue: { on: true } }, { default: false }),
  },
})

declare module '@signalbox/config' {
  interface Register {
    config: typeof config
  }
}

const options = { serverUrl: '', token: '', schemaId: '', environmentId: '' }
const client = createConfigClient(options)

type Read<K extends Parameters<typeof client.get>[0]> = Awaited<ReturnType<typeof client.get<K>>>

expectSame<Read<'apiUrl'>, string>(true)
expectSame<Read<'pageSize'>, number>(true)
expectSame<Read<'theme'>, 'light' | 'dark'>(true)
expectSame<Read<'size'>, 's' | 'm'>(true)
expectSame<Read<'region'>, 'eu' | 'us'>(true)
expectSame<Read<'label'>, string>(true)
expectSame<Read<'title'>, string>(true)
expectSame<Read<'tagged'>, string>(true)
expectSame<Read<'color'>, 'red' | 'blue'>(true)
expectSame<Read<'contact'>, string | undefined>(true)
expectSame<Read<'nickname'>, string | undefined>(true)
expectSame<Read<'token'>, string>(true)
expectSame<Read<'verbose'>, boolean>(true)
expectSame<Read<'stripeKey'>, string>(true)
expectSame<Read<'retries'>, number>(true)
expectSame<Read<'pageSize' | 'theme'>, number | 'light' | 'dark'>(true)
expectSame<Read<'seats'>, number>(true)
expectSame<Parameters<typeof client.flag>[0], 'newCheckout' | 'beta' | 'layout'>(true)

// A value that rules decide has the type of its key.
expectSame<Awaited<ReturnType<typeof client.value<'seats'>>>, number>(true)
expectSame<Awaited<ReturnType<typeof client.value<'model'>>>, 'small' | 'large'>(true)
expectSame<Awaited<ReturnType<typeof client.value<'plan'>>>, 'free' | 'pro' | undefined>(true)
expectSame<Awaited<ReturnType<typeof client.variant>>, string | undefined>(true)
expectSame<Parameters<typeof client.variant>[0], 'newCheckout' | 'beta' | 'layout'>(true)

const snapshot = client.snapshot()
expectSame<ReturnType<typeof snapshot.value<'model'>>, 'small' | 'large'>(true)
expectSame<ReturnType<typeof snapshot.variant>, string | undefined>(true)
client.subscribe((changed) => changed.value('seats', { plan: 'pro' }), ['seats', 'layout'])
createConfigClient({ ...options, limits: declaredLimits(config) })
void createTestConfigClient({ seats: 3 }, { layout: 'blue' }).variant('layout')
expectSame<ReturnType<typeof snapshot.get<'theme'>>, 'light' | 'dark'>(true)
expectSame<typeof snapshot.public.theme, 'light' | 'dark' | undefined>(true)
expectSame<typeof snapshot.featureFlags.beta, boolean | undefined>(true)
expectSame<KnownValues['newCheckout'], boolean | undefined>(true)

client.subscribe(() => {}, ['theme', 'beta'])
createConfigClient({ ...options, defaults: { theme: 'dark', beta: true, nickname: undefined } })
createConfigClient({
  ...options,
  initialValues: { version: 1, public: { theme: 'dark' }, featureFlags: {} },
})
createTestConfigClient({ theme: 'dark' }).set({ beta: true })
new Secrets({ stripeKey: 'sk_x' }).get('stripeKey') satisfies string

// @ts-expect-error: no rule decides a secret
void client.value('stripeKey')
// @ts-expect-error: a flag is no value
void client.value('layout')
// @ts-expect-error: a value has no variants
void client.variant('seats')
// @ts-expect-error: a range has two ends
createConfigClient({ ...options, limits: { seats: { min: 1 } } })
// @ts-expect-error: a default is of the type of its key
limit({ min: 1, max: 3, default: 'a' })
// @ts-expect-error: a limit has a range
limit({ min: 1 })
// @ts-expect-error: a variant says whether the flag is on
flag.variants({ control: {}, blue: { on: true } })
// @ts-expect-error: only a validator
targeted('text')
// @ts-expect-error: there is no such key
void client.get('apiUlr')
// @ts-expect-error: a flag is not read with get
void client.get('beta')
// @ts-expect-error: a public key is not a flag
void client.flag('theme')
// @ts-expect-error: nor is a secret
void client.flag('stripeKey')
// @ts-expect-error: a key that is not optional has a value
createConfigClient({ ...options, defaults: { pageSize: undefined } })
// @ts-expect-error: the value has another type
createConfigClient({ ...options, defaults: { pageSize: '20' } })
const withSecret = { version: 1, public: { stripeKey: 'x' }, featureFlags: {} } as const
// @ts-expect-error: a secret does not come with a page
createConfigClient({ ...options, initialValues: withSecret })
// @ts-expect-error: no such theme
createTestConfigClient({ theme: 'blue' })
// @ts-expect-error: a public key is no secret
new Secrets({ stripeKey: 'sk_x' }).get('theme')

type Shown<K extends string> = BrowserKey<typeof config, K>
expectSame<Shown<'theme'>, 'theme'>(true)
expectSame<Shown<'stripeKey'>, "'stripeKey' is a secret key: it is never sent to a browser">(true)

// Another configuration of the same program is named where it is read.
const other = defineConfig({ public: { depth: number() } })
const otherClient: ConfigClient<typeof other> = createConfigClient<typeof other>(options)
expectSame<Awaited<ReturnType<typeof otherClient.get<'depth'>>>, number>(true)
expectSame<Parameters<typeof otherClient.flag>[0], never>(true)
// @ts-expect-error: a key of the registered configuration
void otherClient.get('theme')
