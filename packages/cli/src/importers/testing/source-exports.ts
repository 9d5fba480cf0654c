import type { ImportSource } from '@signalbox/contract'

/** Holds a small export of a product: one key that comes in, and one that does not. */
export interface SourceExport {
  readonly text: string
  /** Names the key that is stored, in production. */
  readonly key: string
  readonly value: string | number | boolean
  /** Begins the line of what does not come in, which stops nothing else. */
  readonly fails: string
  /** Holds the code of the HIGH issue of what does not come in. Absent: nothing is HIGH. */
  readonly accept?: string
  /** Says that the export names its environments itself. */
  readonly namesEnvironments?: true
}

const json = (document: unknown) => JSON.stringify(document)

/** Begins with a digit, which no key does, so the server refuses the flag. */
const refused = '2fast'
const flagFails = { fails: '2fast  exact, fails', accept: 'IM-E002' } as const

const launchDarklyEnvironment = {
  on: true,
  salt: 'abc',
  offVariation: 1,
  fallthrough: {
    rollout: {
      variations: [
        { variation: 0, weight: 10_000 },
        { variation: 1, weight: 90_000 },
      ],
    },
  },
}
const launchDarklyFlag = (key: string) => ({
  key,
  variations: [{ value: true }, { value: false }],
  environments: { production: launchDarklyEnvironment, staging: launchDarklyEnvironment },
})
const unleashFeature = (name: string) => ({
  name,
  enabled: true,
  strategies: [
    {
      name: 'flexibleRollout',
      parameters: { rollout: '10', stickiness: 'userId', groupId: name },
    },
  ],
})
const flagsmithState = (name: string) => ({ feature: { name }, enabled: false })
const configCatSetting = { t: 0, v: { b: false }, p: [{ p: 100, v: { b: true } }] }
const fliptFlag = (key: string) => ({
  key,
  type: 'BOOLEAN_FLAG_TYPE',
  enabled: false,
  rollouts: [{ threshold: { percentage: 10, value: true } }],
})
const flagdFlag = {
  state: 'ENABLED',
  variants: { on: true, off: false },
  defaultVariant: 'off',
  targeting: { if: [{ in: ['@acme.com', { var: 'email' }] }, 'on', null] },
}
const goFeatureFlag = {
  variations: { on: true, off: false },
  targeting: [{ query: 'email ew "@acme.com"', variation: 'on' }],
  defaultRule: { variation: 'off' },
}
const postHogFlag = (key: string) => ({
  key,
  name: '',
  active: true,
  filters: { groups: [{ properties: [], rollout_percentage: 10 }] },
})
const secret = { key: 'stripeKey', value: 'sk_test_51abc' } as const

/** Maps each source to a small export of it. */
export const sourceExports: Readonly<Record<ImportSource, SourceExport>> = {
  launchdarkly: {
    text: json({ items: [launchDarklyFlag('checkout'), launchDarklyFlag(refused)] }),
    key: 'checkout',
    value: false,
    namesEnvironments: true,
    ...flagFails,
  },
  unleash: {
    text: json({ version: 2, features: [unleashFeature('checkout'), unleashFeature(refused)] }),
    key: 'checkout',
    value: false,
    ...flagFails,
  },
  flagsmith: {
    text: json({
      api_key: 'abc',
      project: { segments: [] },
      feature_states: [flagsmithState('checkout'), flagsmithState(refused)],
    }),
    key: 'checkout',
    value: false,
    ...flagFails,
  },
  growthbook: {
    text: json({
      features: {
        checkout: { defaultValue: false, rules: [{ force: true, coverage: 0.1, hashVersion: 2 }] },
        [refused]: { defaultValue: true },
      },
    }),
    key: 'checkout',
    value: false,
    ...flagFails,
  },
  configcat: {
    text: json({
      p: { s: 'salt' },
      f: { checkout: configCatSetting, [refused]: configCatSetting },
    }),
    key: 'checkout',
    value: false,
    ...flagFails,
  },
  flipt: {
    text: json({ version: '1.4', flags: [fliptFlag('checkout'), fliptFlag(refused)] }),
    key: 'checkout',
    value: false,
    ...flagFails,
  },
  flagd: {
    text: json({ flags: { checkout: flagdFlag, [refused]: flagdFlag } }),
    key: 'checkout',
    value: false,
    ...flagFails,
  },
  'go-feature-flag': {
    text: json({ checkout: goFeatureFlag, [refused]: goFeatureFlag }),
    key: 'checkout',
    value: false,
    fails: '2fast  differs, fails',
    accept: 'IM-E002',
  },
  posthog: {
    text: json({ results: [postHogFlag('checkout'), postHogFlag(refused)] }),
    key: 'checkout',
    value: false,
    ...flagFails,
  },
  dotenv: {
    text: `STRIPE_KEY=${secret.value}\nMISSING=\${NOWHERE}\n`,
    ...secret,
    fails: 'MISSING  left out',
    accept: 'ENV-R002',
  },
  vercel: {
    text: `STRIPE_KEY="${secret.value}"\nHIDDEN=""\n`,
    ...secret,
    fails: 'HIDDEN  left out',
    accept: 'VER-V001',
  },
  doppler: {
    text: json({ STRIPE_KEY: secret.value, CONSTRUCTOR: 'x' }),
    ...secret,
    fails: 'CONSTRUCTOR  left out',
    accept: 'DOP-V005',
  },
  infisical: {
    text: json([
      { key: 'STRIPE_KEY', value: secret.value },
      { key: 'MISSING', value: '${NOWHERE}' },
    ]),
    ...secret,
    fails: 'MISSING  left out',
    accept: 'INF-R002',
  },
  'aws-ssm': {
    text: json({
      Parameters: [
        { Name: '/shop/stripeKey', Type: 'SecureString', Value: secret.value },
        { Name: '/shop/still', Type: 'SecureString', Value: `AQICAH${'x'.repeat(120)}` },
      ],
    }),
    ...secret,
    fails: '/shop/still  left out',
    accept: 'SSM-T010',
  },
  'aws-secrets-manager': {
    text: json({
      SecretValues: [
        { Name: 'shop/stripeKey', SecretString: secret.value },
        { Name: 'shop/cert', SecretBinary: 'AAAA' },
      ],
    }),
    ...secret,
    fails: 'shop/cert  left out',
    accept: 'ASM-T002',
  },
  kubernetes: {
    text: json({
      kind: 'Secret',
      metadata: { name: 'shop' },
      stringData: { STRIPE_KEY: secret.value, CONSTRUCTOR: 'x' },
    }),
    ...secret,
    fails: 'Secret shop: CONSTRUCTOR  left out',
    accept: 'KUB-V005',
  },
  vault: {
    text: json({ data: { STRIPE_KEY: secret.value, EMPTY: '' } }),
    ...secret,
    fails: 'EMPTY  left out',
  },
  names: {
    text: json([{ name: 'PAGE_SIZE', value: '20' }, { name: 'NODE_OPTIONS' }]),
    key: 'pageSize',
    value: 20,
    fails: 'NODE_OPTIONS  left out',
  },
}
