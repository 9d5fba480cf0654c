/** The scopes that the app may ask for, and what the consent page says of each. The classic ones of Jira. */
export const jiraScopes: ReadonlyMap<string, string> = new Map([
  ['read:jira-work', 'View Jira issue data'],
  ['read:jira-user', 'View user profiles'],
  ['write:jira-work', 'Create and manage issues'],
  ['offline_access', 'Keep access while you are not there'],
])

/** A scope that is about Jira, and so belongs to a site. */
export type JiraScope = 'read:jira-work' | 'read:jira-user' | 'write:jira-work'
