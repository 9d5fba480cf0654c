import { z } from 'zod'
import { parseAnswer } from '../call-provider.ts'
import type { TrackerIssue, TrackerProject } from '../tracker.ts'

const id = z.union([z.string(), z.number().int()]).transform(String)
const text = z.string().nullish().catch(null)
const named = z.object({ name: text }).nullish().catch(null)

/** A field that is missing, hidden or of another form loses itself and not the issue. */
const issue = z.object({
  id,
  key: z.string(),
  fields: z
    .object({
      summary: text,
      issuetype: named,
      priority: named,
      assignee: z.object({ displayName: text }).nullish().catch(null),
      status: z
        .object({ name: text, statusCategory: z.object({ key: text }).nullish().catch(null) })
        .nullish()
        .catch(null),
    })
    .catch({}),
})

const bulkFetch = z.object({ issues: z.array(z.unknown()) })
const projectPage = z.object({
  values: z.array(z.unknown()),
  isLast: z.boolean().catch(true),
})
const project = z.object({ key: z.string(), name: z.string() })

const categories = ['new', 'indeterminate', 'done'] as const

/**
 * Returns the issues of `POST issue/bulkfetch`. Why others were not answered does not count: Jira leaves out what is hidden and
 * what is not there alike.
 *
 * @throws {ProviderError} when it is no such answer, which must not look like one without issues.
 */
export function parseIssues(body: unknown, siteUrl: string): TrackerIssue[] {
  return parseAnswer('jira', bulkFetch, body).issues.flatMap((one) => {
    const parsed = issue.safeParse(one)
    return parsed.success ? [toIssue(parsed.data, siteUrl)] : []
  })
}

function toIssue({ id: externalId, key, fields }: z.output<typeof issue>, siteUrl: string) {
  const { summary, issuetype, status, assignee, priority } = fields
  return {
    externalId,
    key,
    title: summary ?? null,
    type: nameOf(issuetype),
    status: nameOf(status),
    statusCategory: categoryOf(status?.statusCategory?.key),
    assignee: assignee?.displayName ?? null,
    priority: nameOf(priority),
    url: `${siteUrl}/browse/${encodeURIComponent(key)}`,
  }
}

function nameOf(of: z.output<typeof named>): string | null {
  return of?.name ?? null
}

/** Jira knows a fourth one, `undefined`, which says nothing. */
function categoryOf(key: string | null | undefined): TrackerIssue['statusCategory'] {
  return categories.find((known) => known === key) ?? null
}

/** Returns a page of `GET project/search`. `count` is how many were on it, whatever of them can be read. */
export function parseProjectPage(body: unknown): {
  readonly projects: readonly TrackerProject[]
  readonly count: number
  readonly isLast: boolean
} {
  const { values, isLast } = parseAnswer('jira', projectPage, body)
  const projects = values.flatMap((one) => project.safeParse(one).data ?? [])
  return { projects, count: values.length, isLast }
}
