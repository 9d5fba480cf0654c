import type { GitlabProject, GitlabState } from '../state.ts'

type At = Pick<GitlabState, 'baseUrl'>

/** Returns the address of a project's page. */
export function projectUrl({ baseUrl }: At, { fullPath }: GitlabProject): string {
  return `${baseUrl}/${fullPath}`
}

/** Returns a project as the list shows it with `simple=true`. */
export function toSimpleProject(at: At, project: GitlabProject) {
  const { id, name, fullPath, namespace, defaultBranch, createdAt, lastActivityAt } = project
  const url = projectUrl(at, project)
  return {
    id,
    description: null,
    name,
    name_with_namespace: `${namespace.name} / ${name}`,
    path: pathOf(project),
    path_with_namespace: fullPath,
    created_at: createdAt.toISOString(),
    default_branch: defaultBranch,
    tag_list: [],
    topics: [],
    ssh_url_to_repo: `git@127.0.0.1:${fullPath}.git`,
    http_url_to_repo: `${url}.git`,
    web_url: url,
    readme_url: null,
    forks_count: 0,
    avatar_url: null,
    star_count: 0,
    last_activity_at: lastActivityAt.toISOString(),
    visibility: project.visibility,
    namespace: {
      id: namespace.id,
      name: namespace.name,
      path: namespace.fullPath.split('/').at(-1) ?? '',
      kind: 'group',
      full_path: namespace.fullPath,
      parent_id: null,
      avatar_url: null,
      web_url: `${at.baseUrl}/groups/${namespace.fullPath}`,
    },
  }
}

/** Returns a project as the API shows one to a member of this access level. */
export function toProject(at: At, project: GitlabProject, accessLevel: number | undefined) {
  return {
    ...toSimpleProject(at, project),
    archived: project.isArchived,
    empty_repo: project.commits.size === 0,
    ci_config_path: null,
    ci_pipeline_variables_minimum_override_role: project.variablesRole,
    builds_access_level: 'enabled',
    environments_access_level: 'enabled',
    jobs_enabled: true,
    permissions: {
      project_access: null,
      group_access:
        accessLevel === undefined ? null : { access_level: accessLevel, notification_level: 3 },
    },
  }
}

/** Returns a project as a webhook shows it. */
export function toHookProject(at: At, project: GitlabProject) {
  const url = projectUrl(at, project)
  const ssh = `git@127.0.0.1:${project.fullPath}.git`
  return {
    id: project.id,
    name: project.name,
    description: null,
    web_url: url,
    avatar_url: null,
    git_ssh_url: ssh,
    git_http_url: `${url}.git`,
    namespace: project.namespace.name,
    visibility_level: { private: 0, internal: 10, public: 20 }[project.visibility],
    path_with_namespace: project.fullPath,
    default_branch: project.defaultBranch,
    ci_config_path: '',
    homepage: url,
    url: ssh,
    ssh_url: ssh,
    http_url: `${url}.git`,
  }
}

function pathOf({ fullPath }: GitlabProject): string {
  return fullPath.split('/').at(-1) ?? ''
}
