import type { JiraState } from './state.ts'
import { addIssue, addProject, hideProject } from './write-state.ts'

/** Adds the seed: two projects and a hidden one on the first site, one project on the second. */
export function seedJira(jira: JiraState): void {
  addProject(jira, { key: 'ABC', name: 'Shop' })
  addProject(jira, { key: 'WEB2', name: 'Website' })
  addProject(jira, { key: 'SEC', name: 'Security' })
  addProject(jira, { site: 'acme-labs', key: 'LAB', name: 'Laboratory' })
  const assignee = jira.account
  addIssue(jira, {
    project: 'ABC',
    summary: 'The basket forgets its currency',
    type: 'Bug',
    status: 'In Progress',
    priority: 'High',
    assignee,
  })
  addIssue(jira, { project: 'ABC', summary: 'Show the delivery date', type: 'Story', assignee })
  addIssue(jira, { project: 'ABC', summary: 'Remove the old checkout', status: 'Done' })
  addIssue(jira, { project: 'WEB2', summary: 'Rewrite the start page', status: 'In Review' })
  addIssue(jira, { project: 'SEC', summary: 'Turn the keys over', priority: 'Highest' })
  addIssue(jira, { site: 'acme-labs', project: 'LAB', summary: 'Try a darker theme' })
  hideProject(jira, 'SEC')
}
