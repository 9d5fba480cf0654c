import { GraphQLError } from '../../../../../sandbox/src/models/graphql.ts'

/** Describes an error as Linear reports it. */
interface LinearRejection {
  readonly type: string
  readonly code: string
  readonly statusCode: number
  readonly userPresentableMessage?: string
}

const refuse = (message: string, extensions: LinearRejection) =>
  new GraphQLError(message, { extensions: { ...extensions, userError: true } })

/** Returns the error of an id that names nothing, or something hidden. */
export function entityNotFound(entity: string): GraphQLError {
  return refuse(`Entity not found: ${entity}`, {
    type: 'invalid input',
    code: 'INPUT_ERROR',
    statusCode: 400,
    userPresentableMessage: `Could not find referenced ${entity}.`,
  })
}

/** Returns the error of an argument that is out of range. */
export function invalidInput(message: string): GraphQLError {
  return refuse(message, { type: 'invalid input', code: 'INPUT_ERROR', statusCode: 400 })
}

/** Returns the error of a request without a good token. */
export function notAuthenticated(): GraphQLError {
  return refuse('Authentication required, not authenticated', {
    type: 'authentication error',
    code: 'AUTHENTICATION_ERROR',
    statusCode: 401,
    userPresentableMessage: 'You need to authenticate to access this operation.',
  })
}

/** Returns the error of a window that is used up. */
export function rateLimited(): GraphQLError {
  return refuse('Rate limit exceeded', {
    type: 'ratelimited',
    code: 'RATELIMITED',
    statusCode: 429,
    userPresentableMessage: 'Rate limit exceeded.',
  })
}
