import { z } from 'zod'
import { parseAnswer } from '../call-provider.ts'
import type { TrackerIssue, TrackerProject } from '../tracker.ts'

const text = z.string().nullish().catch(null)

/** A field that is missing or of another form loses itself and not the issue. */
const issue = z.object({
  id: z.string(),
  identifier: z.string(),
  previousIdentifiers: z.array(z.string()).catch([]),
  title: text,
  priorityLabel: text,
  state: z.object({ name: text, type: text }).nullish().catch(null),
  assignee: z.object({ displayName: text }).nullish().catch(null),
})

const issuesAnswer = z.object({
  data: z.object({ issues: z.object({ nodes: z.array(z.unknown()) }) }),
})
const issueAnswer = z.object({ data: z.object({ issue }) })
const team = z.object({ key: z.string(), name: z.string() })
const teamsAnswer = z.object({
  data: z.object({
    teams: z.object({
      nodes: z.array(z.unknown()),
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
    }),
  }),
})
const workspaceAnswer = z.object({
  data: z.object({
    organization: z.object({ id: z.string(), name: z.string(), urlKey: z.string() }),
  }),
})

/** Holds an issue with the keys that it had. */
export interface LinearIssue {
  readonly issue: TrackerIssue
  readonly formerKeys: readonly string[]
}

/** Maps the types of states to the categories. A cancelled issue is done; the name of its state says which. */
const categories = new Map<string, TrackerIssue['statusCategory']>([
  ['triage', 'new'],
  ['backlog', 'new'],
  ['unstarted', 'new'],
  ['started', 'indeterminate'],
  ['completed', 'done'],
  ['canceled', 'done'],
  ['duplicate', 'done'],
])

/** Returns the issues of an answer. @throws {ProviderError} when it is no such answer. */
export function parseIssues(body: unknown, workspaceUrl: string): LinearIssue[] {
  return parseAnswer('linear', issuesAnswer, body).data.issues.nodes.flatMap((node) => {
    const parsed = issue.safeParse(node)
    return parsed.success ? [toIssue(parsed.data, workspaceUrl)] : []
  })
}

/** Returns the issue of an answer. @throws {ProviderError} when it is no such answer. */
export function parseIssue(body: unknown, workspaceUrl: string): LinearIssue {
  return toIssue(parseAnswer('linear', issueAnswer, body).data.issue, workspaceUrl)
}

function toIssue(of: z.output<typeof issue>, workspaceUrl: string): LinearIssue {
  const { id, identifier: key, title, state, assignee, priorityLabel } = of
  return {
    issue: {
      externalId: id,
      key,
      title: title ?? null,
      // Linear has labels, and no types.
      type: null,
      status: state?.name ?? null,
      statusCategory: categories.get(state?.type ?? '') ?? null,
      assignee: assignee?.displayName ?? null,
      priority: priorityLabel === 'No priority' ? null : (priorityLabel ?? null),
      url: `${workspaceUrl}/issue/${encodeURIComponent(key)}`,
    },
    formerKeys: of.previousIdentifiers,
  }
}

/** Returns a page of teams. `nextCursor` is `undefined` on the last one. @throws {ProviderError} when it is no such answer. */
export function parseTeams(body: unknown): {
  readonly teams: readonly TrackerProject[]
  readonly nextCursor: string | undefined
} {
  const { nodes, pageInfo } = parseAnswer('linear', teamsAnswer, body).data.teams
  return {
    teams: nodes.flatMap((node) => team.safeParse(node).data ?? []),
    nextCursor: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
  }
}

/** Returns the workspace of an answer. @throws {ProviderError} when it is no such answer. */
export function parseWorkspace(body: unknown): {
  readonly id: string
  readonly name: string
  readonly urlKey: string
} {
  return parseAnswer('linear', workspaceAnswer, body).data.organization
}
