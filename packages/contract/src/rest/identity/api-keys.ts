import { z } from 'zod/v4'
import { apiKeyKinds, keyAccesses } from '../../tokens.ts'
import { admin, org, viewer } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import {
  author,
  credential,
  displayName,
  givenDisplayName,
  givenTime,
  id,
  page,
  pageQuery,
  time,
} from '../shapes.ts'

const jwkSet = z.strictObject({
  keys: z.array(z.record(z.string(), z.unknown())).min(1).max(20),
})

/** Describes a service account of Kubernetes whose tokens are exchanged for access tokens of a key. */
export const serviceAccount = z
  .object({
    issuer: z.string(),
    namespace: z.string(),
    name: z.string(),
    /** Holds the public keys of the cluster. `null`: they are read at the issuer. */
    keys: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).nullable(),
  })
  .meta({ id: 'ServiceAccount' })

const givenServiceAccounts = z
  .array(
    z.strictObject({
      /** Holds the issuer of the cluster's tokens, as their `iss` has it. */
      issuer: z
        .string()
        .min(1, 'Use the issuer of the cluster, such as https://oidc.example.com/id/1.')
        .max(500),
      namespace: z
        .string()
        .max(63)
        .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'Use the name of a namespace, such as shop.'),
      name: z
        .string()
        .max(253)
        .regex(
          /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/,
          'Use the name of a service account, such as web.',
        ),
      /** Holds what `kubectl get --raw /openid/v1/jwks` prints, where the issuer cannot be reached from here. */
      keys: jwkSet.nullish(),
    }),
  )
  .max(10)

/** Describes an API key, without its secret. */
export const apiKey = z
  .object({
    id: id('key'),
    name: displayName,
    kind: z.enum(apiKeyKinds),
    /** Says whether the key writes: only a server key (`m2m`) can. */
    access: z.enum(keyAccesses),
    /** Holds the beginning of the token, to recognise it. Example: `sbx_m2m_4fZk20aPq1`. */
    prefix: z.string(),
    environmentIds: z.array(id('env')).nullable(),
    schemaIds: z.array(id('sch')).nullable(),
    allowedOrigins: z.array(z.string()).nullable(),
    /** Lists the networks that the key may be used from. `null`: everywhere. */
    allowedNetworks: z.array(z.string()).nullable(),
    /** Lists the Kubernetes service accounts whose tokens are exchanged for this key's access tokens. */
    serviceAccounts: z.array(serviceAccount).nullable(),
    state: z.enum(['active', 'expired', 'revoked']),
    expiresAt: time.nullable(),
    /** Holds the time until which the previous token works after a rotation. */
    overlapEndsAt: time.nullable(),
    /** Holds the time of the last request or open stream, also at the delivery. Recorded once a minute. `null`: never used. */
    lastUsedAt: time.nullable(),
    /** Counts the changes of the key: of its name, its restrictions and its end. `If-Match` of a change is compared with it. */
    revision: z.number().int(),
    createdAt: time,
    createdBy: author,
    /** Says what they were signed in with. `null`: an API key, or the service itself. */
    createdWith: credential.nullable(),
  })
  .meta({ id: 'ApiKey' })

/** Describes an API key with its secret, which is shown once. */
export const apiKeyWithSecret = apiKey
  .extend({ secret: z.string() })
  .meta({ id: 'ApiKeyWithSecret' })

const origin = z
  .string()
  .regex(/^https?:\/\/[^/?#\s]+$/, 'Use an origin such as https://app.example.com, without a path.')

/** Takes a network such as `203.0.113.0/24`, or one address. The bits of the host are cleared. */
const network = z.string().min(1).max(50)

export const apiKeyEndpoints = declareEndpoints({ tag: 'API keys', topics: ['api_key'] })({
  createApiKey: {
    method: 'POST',
    path: `${org}/api-keys`,
    summary: 'Create an API key. The response shows its secret once.',
    description:
      'The key expires at `expiresAt`: by default after 90 days, with `null` never. A relay key (`rly`) feeds a relay and reads no values directly; it names its environments. A server key (`m2m`) with `access: read` writes nothing and starts no workflow; without `access`, it writes. With `allowedNetworks` a key is refused from every other address with 403 `network_forbidden`.',
    access: admin,
    opens: 'door',
    body: z.strictObject({
      name: givenDisplayName,
      kind: z.enum(apiKeyKinds),
      /** Default: `write` for a server key. Keys of the other kinds only read. */
      access: z.enum(keyAccesses).optional(),
      environmentIds: z.array(id('env')).min(1).max(50).nullish(),
      schemaIds: z.array(id('sch')).min(1).max(50).nullish(),
      expiresAt: givenTime.nullish(),
      allowedOrigins: z.array(origin).min(1).max(50).nullish(),
      allowedNetworks: z.array(network).min(1).max(50).nullish(),
      serviceAccounts: givenServiceAccounts.nullish(),
    }),
    response: { status: 201, body: apiKeyWithSecret },
    problems: ['quota_exceeded'],
  },
  listApiKeys: {
    method: 'GET',
    path: `${org}/api-keys`,
    summary: 'The API keys of the organization, without their secrets.',
    access: viewer,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(apiKey) },
    problems: ['invalid_cursor'],
  },
  getApiKey: {
    method: 'GET',
    path: `${org}/api-keys/{key_id}`,
    summary: 'One API key, without its secret.',
    access: viewer,
    response: { status: 200, body: apiKey },
  },
  listSecretReads: {
    method: 'GET',
    path: `${org}/api-keys/{key_id}/secret-reads`,
    summary: 'How many answers with secrets the key got, by day. Kept for 90 days.',
    description:
      'Counts reads of values at the API, and snapshots and values with secrets at delivery, relays included. Each node writes its counts once a minute. A 304 brings no secret and is not counted.',
    access: viewer,
    response: {
      status: 200,
      body: z.object({
        /** Lists the days, in UTC, newest first. Days without a read are left out. */
        days: z.array(z.object({ day: z.string(), reads: z.number().int() })),
      }),
    },
  },
  updateApiKey: {
    method: 'PATCH',
    path: `${org}/api-keys/{key_id}`,
    summary: 'Rename an API key, or change its restrictions.',
    access: admin,
    opens: 'door',
    // An existing key may get more access, or a longer life.
    takesResponse: true,
    body: z.strictObject({
      name: givenDisplayName.optional(),
      access: z.enum(keyAccesses).optional(),
      environmentIds: z.array(id('env')).min(1).max(50).nullish(),
      schemaIds: z.array(id('sch')).min(1).max(50).nullish(),
      expiresAt: givenTime.nullish(),
      allowedOrigins: z.array(origin).min(1).max(50).nullish(),
      allowedNetworks: z.array(network).min(1).max(50).nullish(),
      serviceAccounts: givenServiceAccounts.nullish(),
    }),
    response: { status: 200, body: apiKey },
    problems: ['revision_mismatch'],
  },
  rotateApiKey: {
    method: 'POST',
    path: `${org}/api-keys/{key_id}/rotate`,
    summary: 'Rotate the secret of an API key. The old secret works until the end of the overlap.',
    access: admin,
    opens: 'door',
    body: z.strictObject({
      overlapSeconds: z
        .number()
        .int()
        .min(0)
        .max(30 * 24 * 3600)
        .default(3600),
    }),
    response: { status: 200, body: apiKeyWithSecret },
    problems: ['conflict'],
  },
  pauseApiKey: {
    method: 'POST',
    path: `${org}/api-keys/{key_id}/pause`,
    summary:
      'End an API key now, on every node within two seconds. A later `expiresAt` brings it back.',
    description: 'A key that has ended or was revoked stays as it is.',
    access: admin,
    response: { status: 200, body: apiKey },
  },
  revokeApiKey: {
    method: 'DELETE',
    path: `${org}/api-keys/{key_id}`,
    summary: 'Revoke an API key, on every node within two seconds.',
    access: admin,
    response: { status: 204 },
  },
})
