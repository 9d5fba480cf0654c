import type { DoubleAnswer, DoubleRequest } from './product-double.ts'

/** Stands for the token of every product. No output may hold it. */
export const token = 'c4n4ry-t0k3n'

/** Holds what a pretended product has, which a test may change between two requests. */
export interface ProductState {
  /** Lists the names of its flags or variables. */
  names: string[]
  /** Says that each page has one more. */
  isEndless: boolean
}

/** Describes how a product is asked, and how it answers. */
export interface DoubledProduct {
  readonly source: string
  readonly env: (url: string) => Readonly<Record<string, string>>
  readonly project?: string
  readonly environments?: readonly string[]
  readonly path?: string
  readonly hasToken: (request: DoubleRequest) => boolean
  readonly answer: (request: DoubleRequest, state: ProductState) => DoubleAnswer | undefined
  /** Says that it answers in pages. */
  readonly isPaged?: boolean
}

const hasBearer = ({ headers }: DoubleRequest) => headers.authorization === `Bearer ${token}`
const hasHeader = (name: string) => (request: DoubleRequest) => request.headers[name] === token
const isSigned = ({ headers }: DoubleRequest) =>
  /^AWS4-HMAC-SHA256 Credential=AKIA1\/\d{8}\/eu-central-1\/[a-z]+\/aws4_request, SignedHeaders=[a-z0-9;-]*host[a-z0-9;-]*, Signature=[0-9a-f]{64}$/.test(
    headers.authorization ?? '',
  ) && headers['x-amz-security-token'] === token

const launchdarkly: DoubledProduct = {
  source: 'launchdarkly',
  env: (url) => ({ LAUNCHDARKLY_API_TOKEN: token, LAUNCHDARKLY_URL: url }),
  project: 'shop',
  isPaged: true,
  hasToken: hasHeader('authorization'),
  answer({ url }, { names, isEndless }) {
    const { pathname, searchParams } = url
    const toPage = (all: readonly object[]) => {
      const offset = Number(searchParams.get('offset'))
      const limit = Number(searchParams.get('limit'))
      return { json: { items: all.slice(offset, offset + limit), totalCount: all.length } }
    }
    if (pathname === '/api/v2/projects/shop/environments') return toPage([{ key: 'prod' }])
    if (pathname === '/api/v2/segments/shop/prod') return toPage([])
    if (pathname !== '/api/v2/flags/shop') return undefined
    const environment = { on: true, salt: 'a', fallthrough: { variation: 0 }, offVariation: 0 }
    const toFlag = (key: string) => ({
      key,
      variations: [{ value: true }, { value: false }],
      environments: { prod: environment },
    })
    if (!isEndless) return toPage(names.map(toFlag))
    const offset = Number(searchParams.get('offset'))
    const items = Array.from({ length: 100 }, (_, index) => toFlag(`flag-${offset + index}`))
    return { json: { items } }
  },
}

const unleash: DoubledProduct = {
  source: 'unleash',
  env: (url) => ({ UNLEASH_API_TOKEN: token, UNLEASH_URL: url }),
  hasToken: hasHeader('authorization'),
  answer: ({ url }, { names }) =>
    url.pathname === '/api/client/features'
      ? { json: { features: names.map((name) => ({ name, enabled: true, strategies: [] })) } }
      : undefined,
}

const growthbook: DoubledProduct = {
  source: 'growthbook',
  env: (url) => ({ GROWTHBOOK_CLIENT_KEY: token, GROWTHBOOK_API_HOST: url }),
  hasToken: ({ url }) => url.pathname === `/api/features/${token}`,
  answer: (_, { names }) => ({
    json: { features: Object.fromEntries(names.map((name) => [name, { defaultValue: true }])) },
  }),
}

const flagsmith: DoubledProduct = {
  source: 'flagsmith',
  env: (url) => ({ FLAGSMITH_SERVER_KEY: token, FLAGSMITH_API_URL: `${url}/api/v1` }),
  isPaged: true,
  hasToken: hasHeader('x-environment-key'),
  answer({ url }, { names, isEndless }) {
    if (url.pathname !== '/api/v1/environment-document/') return undefined
    const page = Number(url.searchParams.get('page_id') ?? 1)
    const state = (name: string) => ({ feature: { name }, enabled: true })
    const identity = { identifier: `user-${page}`, identity_features: [] }
    const json = {
      api_key: 'ABC',
      project: { segments: [] },
      feature_states: names.map(state),
      identity_overrides: [identity],
    }
    const hasNext = isEndless || page < 3
    const link = `</api/v1/environment-document/?page_id=${page + 1}>; rel="next"`
    return hasNext ? { json, headers: { link } } : { json }
  },
}

const configcat: DoubledProduct = {
  source: 'configcat',
  env: (url) => ({ CONFIGCAT_SDK_KEY: `configcat-sdk-1/${token}`, CONFIGCAT_BASE_URL: url }),
  hasToken: ({ url }) =>
    url.pathname === `/configuration-files/configcat-sdk-1/${token}/config_v6.json`,
  answer: (_, { names }) => ({
    json: { f: Object.fromEntries(names.map((name) => [name, { t: 0, v: { b: true } }])) },
  }),
}

const toValues = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, 'value']))

const doppler: DoubledProduct = {
  source: 'doppler',
  env: (url) => ({ DOPPLER_TOKEN: token, DOPPLER_API_HOST: url }),
  project: 'shop',
  environments: ['prd'],
  hasToken: hasBearer,
  answer: ({ url }, { names }) =>
    `${url.pathname}${url.search}` ===
    '/v3/configs/config/secrets/download?format=json&project=shop&config=prd'
      ? { json: toValues(names) }
      : undefined,
}

const infisical: DoubledProduct = {
  source: 'infisical',
  env: (url) => ({ INFISICAL_TOKEN: token, INFISICAL_API_URL: `${url}/api` }),
  project: 'p1',
  environments: ['prod'],
  hasToken: hasBearer,
  answer({ url }, { names }) {
    const { pathname, searchParams } = url
    const isRight = searchParams.get('workspaceId') === 'p1' && searchParams.get('recursive')
    if (pathname !== '/api/v3/secrets/raw' || isRight !== 'true') return undefined
    const secrets = names.map((secretKey) => ({ secretKey, secretValue: 'value', secretPath: '/' }))
    return { json: { secrets, imports: [{ secretPath: '/other', secrets: secrets.slice(0, 1) }] } }
  },
}

const vercel: DoubledProduct = {
  source: 'vercel',
  env: (url) => ({ VERCEL_TOKEN: token, VERCEL_API_URL: url, VERCEL_ORG_ID: 'team_1' }),
  project: 'shop',
  environments: ['production'],
  hasToken: (request) => hasBearer(request) && request.url.searchParams.get('teamId') === 'team_1',
  answer({ url }, { names }) {
    if (url.pathname !== '/v10/projects/shop/env') return undefined
    const entry = { type: 'encrypted', value: 'value', decrypted: true }
    const other = { ...entry, key: 'ELSEWHERE', target: ['preview'] }
    return {
      json: { envs: [...names.map((key) => ({ ...entry, key, target: ['production'] })), other] },
    }
  },
}

const vault: DoubledProduct = {
  source: 'vault',
  env: (url) => ({ VAULT_TOKEN: token, VAULT_ADDR: url, VAULT_NAMESPACE: 'team' }),
  path: 'secret/shop/web',
  hasToken: (request) =>
    hasHeader('x-vault-token')(request) && request.headers['x-vault-namespace'] === 'team',
  answer({ url }, { names }) {
    switch (url.pathname) {
      case '/v1/sys/internal/ui/mounts/secret/shop/web':
        return { json: { data: { path: 'secret/', type: 'kv', options: { version: '2' } } } }
      case '/v1/secret/data/shop/web': {
        const metadata = { created_time: '2026-01-01T00:00:00Z', version: 1 }
        return { json: { data: { data: toValues(names), metadata } } }
      }
      default:
        return undefined
    }
  },
}

const awsEnv = (url: string) => ({
  AWS_ACCESS_KEY_ID: 'AKIA1',
  AWS_SECRET_ACCESS_KEY: `secret-${token}`,
  AWS_SESSION_TOKEN: token,
  AWS_REGION: 'eu-central-1',
  AWS_ENDPOINT_URL: url,
})

/** Answers ten entries a page, and names the next one by the last name, as AWS does: what comes before it is not lost. */
function toAwsPage(
  { body }: DoubleRequest,
  { names, isEndless }: ProductState,
  toEntry: (name: string) => object,
  list: string,
): DoubleAnswer {
  const { NextToken = '' } = JSON.parse(body) as { readonly NextToken?: string }
  const sorted = isEndless ? [`Z${NextToken}`] : names.toSorted().filter((name) => name > NextToken)
  const page = sorted.slice(0, 10)
  const hasMore = isEndless || sorted.length > page.length
  return { json: { [list]: page.map(toEntry), ...(hasMore && { NextToken: page.at(-1) }) } }
}

const awsSsm: DoubledProduct = {
  source: 'aws-ssm',
  env: awsEnv,
  path: '/shop',
  isPaged: true,
  hasToken: isSigned,
  answer: (request, state) =>
    request.headers['x-amz-target'] === 'AmazonSSM.GetParametersByPath'
      ? toAwsPage(
          request,
          state,
          (name) => ({ Name: `/shop/${name}`, Type: 'SecureString', Value: 'value' }),
          'Parameters',
        )
      : undefined,
}

const awsSecretsManager: DoubledProduct = {
  source: 'aws-secrets-manager',
  env: awsEnv,
  path: 'shop/',
  isPaged: true,
  hasToken: isSigned,
  answer: (request, state) =>
    request.headers['x-amz-target'] === 'secretsmanager.BatchGetSecretValue'
      ? toAwsPage(
          request,
          state,
          (name) => ({ Name: `shop/${name}`, SecretString: 'value' }),
          'SecretValues',
        )
      : undefined,
}

/** Lists every product that is read with a token. */
export const doubledProducts: readonly DoubledProduct[] = [
  launchdarkly,
  unleash,
  growthbook,
  flagsmith,
  configcat,
  doppler,
  infisical,
  vercel,
  vault,
  awsSsm,
  awsSecretsManager,
]
