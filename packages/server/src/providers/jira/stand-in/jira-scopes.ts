/** Maps Jira's classic scopes, which the app may ask for, to the sentence of each on the authorization page. */
export const jiraScopes: ReadonlyMap<string, string> = new Map([
  ['read:jira-work', 'View Jira issue data'],
  ['read:jira-user', 'View user profiles'],
  ['write:jira-work', 'Create and manage issues'],
  ['offline_access', 'Keep access while you are away'],
])

/** Names a scope that belongs to a site, unlike `offline_access`. */
export type JiraScope = 'read:jira-work' | 'read:jira-user' | 'write:jira-work'
