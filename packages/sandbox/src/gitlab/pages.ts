import { showCommit, showComparison, showIssue, showNothing, showRun } from '../http/code-pages.ts'
import type { Answer, Route, SandboxRequest } from '../http/route.ts'
import { findCommit, listCommits } from './history.ts'
import { projectUrl } from './shapes/project.ts'
import { findProject, type GitlabPipeline, type GitlabProject, type GitlabState } from './state.ts'

/** Returns GitLab's page of an address that does not exist. */
export const noSuchPage = (): Answer => showNothing('404: Page not found')

type Show = (project: GitlabProject, id: string) => Answer | undefined

/** Creates the pages that links to GitLab open: commits, pipelines with their jobs, and issues. */
export function createPages(state: GitlabState): Route[] {
  const inProject = (path: string, show: Show): Route => ({
    method: 'GET',
    path: `/:group/:project/-/${path}/:id`,
    handle({ params: { group = '', project: name = '', id = '' } }: SandboxRequest) {
      const project = findProject(state, `${group}/${name}`)
      return (project && show(project, id)) ?? noSuchPage()
    },
  })
  return [
    inProject('commit', (project, id) => {
      const commit = findCommit(project, id)
      const { fullPath: repository } = project
      return (
        commit && showCommit({ ...commit, repository, sha: commit.id, author: commit.author.name })
      )
    }),
    inProject('compare', (project, id) => {
      const commits = listCommits(project, id.replace('...', '..'))
      return (
        commits &&
        showComparison(
          project.fullPath,
          commits.map(({ id: sha, message }) => ({
            sha,
            message,
            url: commitUrl(state, project, sha),
          })),
        )
      )
    }),
    inProject('pipelines', (project, id) => {
      const pipeline = project.pipelines.get(Number(id))
      return pipeline && showPipeline(state, project, pipeline)
    }),
    inProject('jobs', (project, id) => {
      const pipeline = findPipelineOfJob(project, Number(id))
      return pipeline && showPipeline(state, project, pipeline)
    }),
    inProject('issues', (project, id) => {
      const issue = project.issues.get(Number(id))
      return (
        issue &&
        showIssue({
          ...issue,
          repository: project.fullPath,
          number: issue.iid,
          author: issue.author.name,
          assignee: issue.assignee?.name,
        })
      )
    }),
  ]
}

function commitUrl(state: GitlabState, project: GitlabProject, sha: string): string {
  return `${projectUrl(state, project)}/-/commit/${sha}`
}

/** A job that deploys is known by its deployment. */
function findPipelineOfJob(
  { pipelines, deployments }: GitlabProject,
  id: number,
): GitlabPipeline | undefined {
  const deployment = [...deployments.values()].find(({ job }) => job?.id === id)
  if (deployment?.job !== undefined) return pipelines.get(deployment.job.pipelineId)
  return [...pipelines.values()].find(({ jobs }) => jobs.some((job) => job.id === id))
}

function showPipeline(
  state: GitlabState,
  project: GitlabProject,
  { id, name, ref, sha, status, inputs }: GitlabPipeline,
): Answer {
  return showRun({
    repository: project.fullPath,
    title: name ?? `Pipeline ${id}`,
    ref,
    sha,
    commitUrl: commitUrl(state, project, sha),
    status,
    inputs,
  })
}
