import { z } from 'zod'
import { readProviderJson } from '../call-provider.ts'
import type { ForgejoRequests } from './api-request.ts'

const shape = z.object({ version: z.string().max(100) })

/**
 * Reads the version of an instance: `11.0.1+gitea-1.22.0` of Forgejo, `1.24.2` of Gitea. `undefined` where it is shown to nobody.
 *
 * @throws {ProviderError}
 */
export async function readVersion({
  get,
}: Pick<ForgejoRequests, 'get'>): Promise<string | undefined> {
  const answer = await get('/version', { accept: [401, 403, 404] })
  if (answer.status !== 200) return undefined
  return shape.safeParse(readProviderJson('forgejo', answer)).data?.version
}

/** Holds which of the two an instance is, once somebody has asked. */
export interface KnownProduct {
  isGitea: boolean | undefined
}

/**
 * Returns whether an instance is a Gitea. Forgejo says in its version which Gitea its API is like, and one that shows no version is
 * taken for a Forgejo.
 *
 * @throws {ProviderError}
 */
export async function isGiteaInstance(
  requests: Pick<ForgejoRequests, 'get'>,
  known: KnownProduct,
): Promise<boolean> {
  if (known.isGitea === undefined) {
    const version = await readVersion(requests)
    known.isGitea = version !== undefined && !/gitea|forgejo/i.test(version)
  }
  return known.isGitea
}
