import { z } from 'zod'
import { callProvider, readProviderJson, type ProviderCall } from '../call-provider.ts'
import { ProviderError } from '../provider-error.ts'
import type { GithubApp } from './application.ts'

/** Describes a GitHub App as GitHub made it. */
export interface ConvertedManifest extends GithubApp {
  /** `null` for an App without webhooks. */
  readonly webhookSecret: string | null
}

const conversion = z.object({
  id: z.number().int(),
  slug: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
  pem: z.string(),
  webhook_secret: z.string().nullish(),
})

/**
 * Fetches the application that GitHub made of a manifest. GitHub returns it once, within an hour.
 *
 * @see https://docs.github.com/en/rest/apps/apps#create-a-github-app-from-a-manifest
 * @throws {ProviderError} `notFound` when the code is not one of GitHub's any more.
 */
export async function convertManifest(
  call: ProviderCall,
  { apiUrl, code }: { readonly apiUrl: string; readonly code: string },
): Promise<ConvertedManifest> {
  const answer = await callProvider(call, {
    method: 'POST',
    url: `${apiUrl}/app-manifests/${encodeURIComponent(code)}/conversions`,
  })
  const made = conversion.safeParse(readProviderJson('github', answer))
  if (!made.success) {
    throw new ProviderError({ provider: 'github', failure: 'rejected', code: 'other_form' })
  }
  const { id, slug, client_id, client_secret, pem, webhook_secret } = made.data
  return {
    appId: String(id),
    slug,
    clientId: client_id,
    clientSecret: client_secret,
    privateKey: pem,
    webhookSecret: webhook_secret ?? null,
  }
}
