import { configTag, everyConfigTag } from './config-tags.ts'
import type { ResolvedSource } from './config-source.ts'

/** Describes how Next.js caches the request: the options of its `fetch` beyond the platform's. */
export interface FetchOptions {
  /** Sets the cache mode. `no-store`: a new request for each render, and the route is dynamic. */
  readonly cache?: 'default' | 'force-cache' | 'no-cache' | 'no-store' | 'reload' | undefined
  readonly next?:
    | {
        /** Seconds until the response is refreshed in the background. Default 60. */
        readonly revalidate?: number | false | undefined
        /** Beside `config` and `config:<organization>:<environment>`. */
        readonly tags?: readonly string[] | undefined
      }
    | undefined
}

/**
 * Returns the fetch options for public values. Without its own `revalidate`, a static route would keep the values of
 * its build forever. Next.js ignores `no-store` and `revalidate` when they come together, so one of them is dropped.
 */
export function completeFetchOptions(
  { cache, next = {} }: FetchOptions,
  { orgId, environment }: ResolvedSource,
): { readonly cache?: RequestCache; readonly next: NextFetchOptions } {
  const tags = [...new Set([everyConfigTag, configTag(orgId, environment), ...(next.tags ?? [])])]
  if (cache === 'no-store' || cache === 'no-cache') return { cache, next: { tags } }
  const revalidate = next.revalidate ?? 60
  return { ...(cache !== undefined && { cache }), next: { revalidate, tags } }
}

interface NextFetchOptions {
  readonly revalidate?: number | false
  readonly tags: string[]
}
