import { z } from 'zod'
import { ProviderError } from '../../provider-error.ts'
import type { RemoteName, TargetApi, TargetAddress, TargetSettings } from '../../target.ts'
import { nextLink, readAnswer, readItems, type GithubRequests } from '../api-request.ts'
import { sealSecret } from './seal-secret.ts'
import { externalId } from '../../codehosts/fields.ts'

const repository = z.object({ id: externalId, full_name: z.string(), html_url: z.string() })
const publicKey = z.object({ key_id: z.string(), key: z.string() })
const named = z.object({ name: z.string() })
const secrets = z.object({ secrets: z.array(z.unknown()) })
const variables = z.object({ variables: z.array(z.unknown()) })

/** GitHub allows a hundred secrets and variables of a repository or an environment each, and 500 variables of a repository. */
const pagesMax = 20

/** Finds the repository that the settings name, and its environment. @throws {ProviderError} */
export async function locateRepository(
  { get }: GithubRequests,
  { repository: fullName = '', environment = '' }: TargetSettings,
): Promise<TargetAddress> {
  const [owner = '', name = ''] = fullName.split('/')
  const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`
  const repo = readAnswer(await get(path), repository)
  const page = `${repo.html_url}/settings`
  if (environment === '') {
    return {
      id: `github:${repo.id}`,
      name: repo.full_name,
      url: `${page}/secrets/actions`,
      data: { repositoryId: repo.id },
    }
  }
  const answer = await get(
    `/repositories/${encodeURIComponent(repo.id)}/environments/${encodeURIComponent(environment)}`,
  )
  const { name: environmentName } = readAnswer(answer, named)
  return {
    // GitHub compares the names of environments without case.
    id: `github:${repo.id}:${environmentName.toLowerCase()}`,
    name: `${repo.full_name}, environment ${environmentName}`,
    url: `${page}/environments`,
    data: { repositoryId: repo.id, environment: environmentName },
  }
}

/**
 * Calls the Actions secrets and variables of a repository, or of an environment of it.
 *
 * @see https://docs.github.com/en/rest/actions/secrets
 * @see https://docs.github.com/en/rest/actions/variables
 */
export function createRepositoryTarget(
  requests: GithubRequests,
  { repositoryId = '', environment }: TargetAddress['data'],
): TargetApi {
  const at = `/repositories/${encodeURIComponent(repositoryId)}`
  const base =
    environment === undefined
      ? `${at}/actions`
      : `${at}/environments/${encodeURIComponent(environment)}`
  let key: z.output<typeof publicKey> | undefined
  const readKey = async () =>
    readAnswer(await requests.getFresh(`${base}/secrets/public-key`), publicKey)
  return {
    async list() {
      const lists = [
        await listNames(requests, `${base}/secrets`, 'secret'),
        await listNames(requests, `${base}/variables`, 'variable'),
      ]
      return lists.flat()
    },
    async put({ store, name, value }, known) {
      if (store === 'secret') {
        const { key_id, key: recipient } = await (key ?? readKey())
        key = { key_id, key: recipient }
        const json = { encrypted_value: await sealSecret(recipient, value), key_id }
        await requests.write('PUT', `${base}/secrets/${encodeURIComponent(name)}`, { json })
        return
      }
      const json = { name, value }
      if (known === undefined) {
        // A name that has come since the list was read is refused with 409: it may be somebody else's.
        await requests.write('POST', `${base}/variables`, { json })
        return
      }
      await requests.write('PATCH', `${base}/variables/${encodeURIComponent(name)}`, { json })
    },
    async remove({ store, name }) {
      const path = `${base}/${store}s/${encodeURIComponent(name)}`
      await requests.write('DELETE', path, { accept: [404] })
    },
  }
}

async function listNames(
  { getFresh }: GithubRequests,
  path: string,
  store: RemoteName['store'],
): Promise<RemoteName[]> {
  const names: RemoteName[] = []
  for (let page = 1; page <= pagesMax; page += 1) {
    const answer = await getFresh(`${path}?per_page=30&page=${page}`)
    const items =
      store === 'secret'
        ? readAnswer(answer, secrets).secrets
        : readAnswer(answer, variables).variables
    names.push(...readItems(items, named).map(({ name }) => ({ name, store })))
    if (nextLink(answer) === undefined) return names
  }
  // Names that were not read would be taken for free.
  throw new ProviderError({ provider: 'github', failure: 'unavailable', code: 'too_many_names' })
}
