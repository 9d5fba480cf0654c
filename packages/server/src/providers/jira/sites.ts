import { z } from 'zod'
import { callProvider, readProviderJson, type ProviderCall } from '../call-provider.ts'

/** Describes a Jira site that a grant reaches. */
export interface JiraSite {
  /** The cloud id. */
  readonly id: string
  readonly name: string
  /** Example: `https://acme.atlassian.net`. */
  readonly url: string
  readonly scopes: readonly string[]
}

const resources = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    url: z.string(),
    scopes: z.array(z.string()).default([]),
  }),
)

/**
 * Returns the sites of a grant. Earlier consents of the same person come back as well, and the same id can stand for products other
 * than Jira: only what has a Jira scope counts.
 *
 * @see https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/#3--make-calls-to-the-api-using-the-access-token
 */
export async function listJiraSites(
  call: ProviderCall,
  apiUrl: string,
  accessToken: string,
): Promise<JiraSite[]> {
  const answer = await callProvider(call, {
    url: `${apiUrl}/oauth/token/accessible-resources`,
    headers: { authorization: `Bearer ${accessToken}` },
  })
  const accessible = resources.parse(readProviderJson('jira', answer))
  const sites = accessible.filter(({ scopes }) => scopes.some((scope) => scope.includes('jira')))
  return [...new Map(sites.map((site) => [site.id, site])).values()]
}
