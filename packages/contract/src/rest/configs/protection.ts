import { comment, confirm } from '../shapes.ts'

/** Describes the confirmation of a request that changes values in protected environments. */
export const confirmationFields = { comment: comment.optional(), confirm: confirm.optional() }

/** Lists the problems of a change that lacks the required confirmation. */
export const protectionProblems = ['confirmation_required', 'comment_required'] as const
