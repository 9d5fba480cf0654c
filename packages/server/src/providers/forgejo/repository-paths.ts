import { z } from 'zod'
import { readInstanceNumber } from '../codehosts/instance-ids.ts'
import { ProviderError } from '../provider-error.ts'
import { readAnswer, type ForgejoRequests } from './api-request.ts'

/** Holds the paths of repositories. The API knows a repository by its name, which changes; the number does not. */
export interface RepositoryPaths {
  /**
   * Calls with the path of a repository, such as `/repos/acme/shop`; once more where it was renamed since its name was read.
   *
   * @throws {ProviderError} of `call`, and `notFound` for a repository of another instance, or one that is gone.
   */
  with<Answer>(repositoryId: string, call: (path: string) => Promise<Answer>): Promise<Answer>
  /** Reads the path anew. For calls that must not be repeated. @throws {ProviderError} */
  current(repositoryId: string): Promise<string>
}

/** Holds the paths that were read, by account and repository: each account sees other repositories. */
export type KnownPaths = Map<string, { readonly path: string; readonly at: number }>

const keptMs = 60_000
const keptMax = 10_000
const named = z.object({ full_name: z.string().regex(/^[^/]+\/[^/]+$/) })

/** Creates the paths of an instance's repositories. A name is read once a minute at most. `known`: what is shared with other calls. */
export function createRepositoryPaths(
  { get }: Pick<ForgejoRequests, 'get'>,
  of: {
    readonly instance: string
    readonly accountId: string
    readonly now: () => Date
    readonly known?: KnownPaths | undefined
  },
): RepositoryPaths {
  const { instance, accountId, now, known = new Map() } = of
  const keyOf = (repositoryId: string) => `${accountId} ${repositoryId}`
  const current = async (repositoryId: string): Promise<string> => {
    const number = readInstanceNumber(instance, repositoryId)
    if (number === undefined) {
      const code = 'other_instance'
      throw new ProviderError({ provider: 'forgejo', failure: 'notFound', code })
    }
    const { full_name: name } = readAnswer(await get(`/repositories/${number}`), named)
    const path = `/repos/${name.split('/').map(encodeURIComponent).join('/')}`
    if (known.size >= keptMax) known.clear()
    known.set(keyOf(repositoryId), { path, at: now().getTime() })
    return path
  }
  return {
    current,
    async with(repositoryId, call) {
      const cached = known.get(keyOf(repositoryId))
      const isFresh = cached !== undefined && now().getTime() - cached.at < keptMs
      if (!isFresh) return call(await current(repositoryId))
      try {
        return await call(cached.path)
      } catch (error) {
        if (!isOfOldName(error)) throw error
        const path = await current(repositoryId)
        if (path === cached.path) throw error
        return call(path)
      }
    },
  }
}

/** A former name answers a redirect, and nothing once another repository was renamed after it. */
function isOfOldName(error: unknown): boolean {
  return (
    error instanceof ProviderError &&
    (error.failure === 'notFound' || /^http_30\d$/.test(error.code))
  )
}
