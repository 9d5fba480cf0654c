import type { JiraAccount, JiraIssue, JiraProject, JiraSite, JiraState, SiteName } from './state.ts'
import type { PriorityName, StatusName, TypeName } from './vocabulary.ts'

/** Describes a project to add. */
export interface NewProject {
  /** Default `acme`. */
  readonly site?: SiteName
  /** Example: `ABC`. */
  readonly key: string
  readonly name: string
}

/** Describes an issue to add. */
export interface NewIssue {
  /** Default `acme`. */
  readonly site?: SiteName
  /** Holds the project's key. */
  readonly project: string
  readonly summary: string
  /** Default `Task`. */
  readonly type?: TypeName
  /** Default `To Do`. */
  readonly status?: StatusName
  /** Default `Medium`. */
  readonly priority?: PriorityName
  /** Default nobody. */
  readonly assignee?: JiraAccount | null
}

/** Adds a project that the account may browse. */
export function addProject(jira: JiraState, { site = 'acme', key, name }: NewProject): JiraProject {
  const project = { id: jira.nextId(), key, name, hidden: false, lastNumber: 0 }
  jira.sites[site].projects.set(key, project)
  return project
}

/**
 * Adds an issue under the next free key of its project.
 *
 * @throws {RangeError} The site has no such project.
 */
export function addIssue(jira: JiraState, issue: NewIssue): JiraIssue {
  const site = jira.sites[issue.site ?? 'acme']
  const project = projectOf(site, issue.project)
  const now = jira.clock.now()
  const added: JiraIssue = {
    id: jira.nextId(),
    key: nextKey(project),
    project,
    summary: issue.summary,
    type: issue.type ?? 'Task',
    status: issue.status ?? 'To Do',
    priority: issue.priority ?? 'Medium',
    assignee: issue.assignee ?? null,
    createdAt: now,
    updatedAt: now,
    remoteLinks: [],
  }
  site.issues.set(added.id, added)
  return added
}

/**
 * Moves an issue to another project. Its former key still finds it, and is not assigned again.
 *
 * @throws {RangeError} There is no such issue or project.
 */
export function moveIssue(jira: JiraState, key: string, toProject: string): JiraIssue {
  const { site, issue } = locate(jira, key)
  const project = projectOf(site, toProject)
  site.formerKeys.set(issue.key, issue.id)
  issue.project = project
  issue.key = nextKey(project)
  issue.updatedAt = jira.clock.now()
  return issue
}

/** Deletes an issue. Its key is not assigned again. @throws {RangeError} There is no such issue. */
export function deleteIssue(jira: JiraState, key: string): void {
  const { site, issue } = locate(jira, key)
  site.issues.delete(issue.id)
}

/**
 * Gives an issue another status.
 *
 * @throws {RangeError} There is no such issue.
 */
export function setStatus(jira: JiraState, key: string, status: StatusName): void {
  const { issue } = locate(jira, key)
  issue.status = status
  issue.updatedAt = jira.clock.now()
}

/** Revokes the account's permission to browse a project of the first site. @throws {RangeError} It has no such project. */
export function hideProject(jira: JiraState, key: string): void {
  projectOf(jira.sites.acme, key).hidden = true
}

function nextKey(project: JiraProject): string {
  project.lastNumber += 1
  return `${project.key}-${project.lastNumber}`
}

function projectOf(site: JiraSite, key: string): JiraProject {
  const project = site.projects.get(key)
  if (project === undefined) throw new RangeError(`The site ${site.name} has no project ${key}.`)
  return project
}

/** Returns an issue by its current key, also a hidden one, because tests arrange the sandbox. */
function locate(jira: JiraState, key: string): { site: JiraSite; issue: JiraIssue } {
  for (const site of Object.values(jira.sites)) {
    const issue = [...site.issues.values()].find((one) => one.key === key)
    if (issue !== undefined) return { site, issue }
  }
  throw new RangeError(`There is no issue ${key}.`)
}
