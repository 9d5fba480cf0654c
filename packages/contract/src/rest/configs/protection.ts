import { comment, confirm } from '../shapes.ts'

/** Describes what protected environments ask of every request that changes what is read in them. */
export const confirmationFields = { comment: comment.optional(), confirm: confirm.optional() }

/** Lists the problems of a change without the confirmation that an environment asks for. */
export const protectionProblems = ['confirmation_required', 'comment_required'] as const
