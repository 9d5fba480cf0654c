const issueFields = `
  identifier
  previousIdentifiers
  id
  title
  priorityLabel
  state { name type }
  assignee { displayName }`

/**
 * Asks for the issues of many teams at once. Aliases of `issue(id:)` would not do: one unknown id empties the whole answer.
 * Finished issues are archived after a while, and left out unless they are asked for.
 */
export const issuesQuery = `query SignalboxIssues($filter: IssueFilter!, $first: Int!) {
  issues(filter: $filter, first: $first, includeArchived: true) { nodes {${issueFields}
  } }
}`

/** Asks for one issue by any of its keys: a moved issue answers to its former ones. */
export const issueQuery = `query SignalboxIssue($id: String!) {
  issue(id: $id) {${issueFields}
  }
}`

/** Asks for teams, which other trackers call projects. */
export const teamsQuery = `query SignalboxTeams($filter: TeamFilter, $first: Int!, $after: String) {
  teams(filter: $filter, first: $first, after: $after) {
    nodes { key name }
    pageInfo { hasNextPage endCursor }
  }
}`

/** Asks which workspace a token is for. */
export const workspaceQuery = `query SignalboxWorkspace { organization { id name urlKey } }`
