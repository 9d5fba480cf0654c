import type { apiKey } from '@signalbox/contract/rest'
import type { z } from 'zod'
import { presentAuthor, presentCredential } from '../../audit/author.ts'
import type { ServiceAccount } from './service-accounts/service-account.ts'
import { accessOf, apiKeyState, tokenPrefix, type ApiKey } from './api-key.ts'

type PresentedApiKey = z.input<typeof apiKey>

/** Returns a key as the API shows it. Has no place for the secret. */
export function presentApiKey(key: ApiKey, now: Date): PresentedApiKey {
  const { earlierSecretEndsAt: overlap } = key
  return {
    id: key.id,
    name: key.name,
    kind: key.kind,
    access: accessOf(key),
    prefix: tokenPrefix(key),
    environmentIds: toList(key.environmentIds),
    schemaIds: toList(key.schemaIds),
    allowedOrigins: toList(key.allowedOrigins),
    allowedNetworks: toList(key.allowedNetworks),
    serviceAccounts: key.serviceAccounts === null ? null : key.serviceAccounts.map(presentAccount),
    state: apiKeyState(key, now),
    expiresAt: toText(key.expiresAt),
    overlapEndsAt: overlap !== null && overlap > now ? overlap.toISOString() : null,
    lastUsedAt: toText(key.lastUsedAt),
    revision: key.revision,
    createdAt: key.createdAt.toISOString(),
    createdBy: presentAuthor(key.createdBy),
    createdWith: presentCredential(key.createdBy),
  }
}

function presentAccount({ issuer, namespace, name, keys }: ServiceAccount) {
  return { issuer, namespace, name, keys: keys && { keys: keys.keys.map((key) => ({ ...key })) } }
}

function toList(ids: readonly string[] | null): string[] | null {
  return ids === null ? null : [...ids]
}

function toText(moment: Date | null): string | null {
  return moment?.toISOString() ?? null
}
