import { json } from '../../http/answers.ts'
import type { Answer, Route } from '../../http/route.ts'
import { findCommit } from '../history.ts'
import { notFound, refuse } from '../errors.ts'
import { toContentFile } from '../shapes/content-file.ts'
import { writeWorkflowFile } from './workflow-file.ts'
import { toRoute, type RepositoryRequest, type RepositoryRouteDeps } from './repository-route.ts'

/** Creates the route of file contents. The sandbox knows only the files of workflows, the same on every branch. */
export function createContentRoutes(deps: RepositoryRouteDeps): Route[] {
  const permission = ['contents', 'read'] as const
  return [toRoute(deps, { at: 'GET /contents/*path', permission, handle: getContent })]
}

function getContent({ repository, addresses, params, query }: RepositoryRequest): Answer {
  const { path = '' } = params
  const ref = query.get('ref') || repository.defaultBranch
  if (findCommit(repository, ref) === undefined) {
    return refuse(404, `No commit found for the ref ${ref}`)
  }
  const workflow = [...repository.workflows.values()].find((candidate) => candidate.path === path)
  if (workflow === undefined) return notFound()
  return json(
    toContentFile(addresses, repository, { path, ref, text: writeWorkflowFile(workflow) }),
  )
}
