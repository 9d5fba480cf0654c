import { z } from 'zod'
import { externalId, pageOrNull, textOrNull } from '../codehosts/fields.ts'
import type { CodehostCommit } from '../codehosts/commit.ts'
import type { CodehostRepository } from '../codehosts/repository.ts'
import { toInstanceId } from '../codehosts/instance-ids.ts'

/**
 * Parses the objects of Forgejo and Gitea into our own. Requires only the fields that are used, and tolerates that optional ones are
 * missing.
 */

const firstYear = 1971

/** Parses a moment as `null` where it has not come: that is the year 1, or 1970. */
export const momentOrNull = textOrNull.transform((text) => {
  const at = new Date(text ?? '')
  return Number.isNaN(at.getTime()) || at.getUTCFullYear() < firstYear ? null : at
})

const repository = z.object({
  id: externalId,
  full_name: z.string(),
  default_branch: textOrNull,
  html_url: textOrNull,
})

function toRepository(instance: string, of: z.output<typeof repository>): CodehostRepository {
  return {
    externalId: toInstanceId(instance, of.id),
    fullName: of.full_name,
    defaultBranch: of.default_branch ?? 'main',
    url: of.html_url ?? '',
  }
}

/** Returns the parser of a repository of an instance, as the API and webhooks show one. */
export const repositoryOf = (instance: string) =>
  repository.transform((of) => toRepository(instance, of))

/** Returns the parser of a repository in a list, which says whether it is archived. */
export const listedRepositoryOf = (instance: string) =>
  repository.extend({ archived: z.boolean().catch(false) }).transform((of) => ({
    isArchived: of.archived,
    repository: toRepository(instance, of),
  }))

const person = z.object({ login: z.string(), full_name: textOrNull }).nullish().catch(null)
const signature = z.object({ name: textOrNull, date: textOrNull }).nullish().catch(null)

function toAuthor(
  account: z.output<typeof person>,
  author: z.output<typeof signature>,
): CodehostCommit['author'] {
  const name = account?.full_name || account?.login || author?.name || null
  return name === null ? null : { name, login: account?.login ?? null }
}

/** Parses a commit. `author` is the account of who wrote it, where the instance knows one. */
export const forgejoCommit = z
  .object({
    sha: z.string(),
    html_url: pageOrNull,
    commit: z.object({ message: z.string().catch(''), author: signature }),
    author: person,
    parents: z
      .array(z.object({ sha: z.string() }))
      .nullish()
      .catch([]),
  })
  .transform(({ sha, html_url: url, commit, author: account, parents }): CodehostCommit => {
    const at = new Date(commit.author?.date ?? '')
    return {
      sha,
      message: commit.message,
      author: toAuthor(account, commit.author),
      at: Number.isNaN(at.getTime()) ? null : at,
      url,
      parents: parents?.map((parent) => parent.sha) ?? [],
    }
  })
