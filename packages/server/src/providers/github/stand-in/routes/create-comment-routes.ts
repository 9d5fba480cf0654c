import { json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Answer, Route } from '../../../../../../sandbox/src/http/route.ts'
import { pageOf } from '../page-of.ts'
import { notFound } from '../errors.ts'
import { toComment } from '../shapes/comment.ts'
import { createInput } from './create-input.ts'
import { toRoute, type RepositoryRequest, type RepositoryParts } from './repository-route.ts'
import { validationFailed } from './validation-failed.ts'

const bodyCharactersMax = 65_536

/** Creates the routes of comments on pull requests. GitHub's API treats them as issues. */
export function createCommentRoutes(deps: RepositoryParts): Route[] {
  const all = '/issues/:number/comments'
  const one = '/issues/comments/:comment'
  const read = ['pull_requests', 'read'] as const
  const write = ['pull_requests', 'write'] as const
  return [
    toRoute(deps, `GET ${all}`, read, listComments),
    toRoute(deps, `POST ${all}`, write, (request) => createComment(deps, request)),
    toRoute(deps, `PATCH ${one}`, write, (request) => updateComment(deps, request)),
  ]
}

function pullRequestOf({ repository, params }: RepositoryRequest): number | undefined {
  const number = Number(params['number'])
  return repository.pullRequests.has(number) ? number : undefined
}

function listComments(request: RepositoryRequest): Answer {
  const { repository, addresses } = request
  const number = pullRequestOf(request)
  if (number === undefined) return notFound()
  const all = [...repository.comments.values()].filter((comment) => comment.number === number)
  const { items, headers } = pageOf(request, all)
  const comments = items.map((comment) => toComment(addresses, repository, comment))
  return json(comments, 200, headers)
}

function createComment({ state }: RepositoryParts, request: RepositoryRequest): Answer {
  const { repository, addresses, actor } = request
  const number = pullRequestOf(request)
  if (number === undefined) return notFound()
  const read = readBody(request)
  if ('refused' in read) return read.refused
  const now = state.clock.now()
  const { body } = read
  const id = state.nextId()
  const comment = { id, number, author: actor, body, createdAt: now, updatedAt: now }
  repository.comments.set(id, comment)
  const presented = toComment(addresses, repository, comment)
  return json(presented, 201, { location: presented.url })
}

function updateComment({ state }: RepositoryParts, request: RepositoryRequest): Answer {
  const { repository, addresses, params } = request
  const comment = repository.comments.get(Number(params['comment']))
  if (comment === undefined) return notFound()
  const read = readBody(request)
  if ('refused' in read) return read.refused
  comment.body = read.body
  comment.updatedAt = state.clock.now()
  return json(toComment(addresses, repository, comment))
}

function readBody(
  request: RepositoryRequest,
): { readonly body: string } | { readonly refused: Answer } {
  const input = createInput(request)
  const body = input.requiredText('body')
  const refused = input.rejection() ?? refuseBody(body)
  return refused === undefined ? { body } : { refused }
}

function refuseBody(body: string): Answer | undefined {
  const message =
    body.trim() === ''
      ? "body can't be blank"
      : body.length > bodyCharactersMax
        ? `body is too long (maximum is ${bodyCharactersMax} characters)`
        : undefined
  return message === undefined
    ? undefined
    : validationFailed('IssueComment', 'body', { code: 'custom', message })
}
