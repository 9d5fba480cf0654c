import { comment, confirm } from '../shapes.ts'

/** What protected environments ask of every request that changes what is read in them. */
export const confirmationFields = { comment: comment.optional(), confirm: confirm.optional() }

export const protectionProblems = ['confirmation_required', 'comment_required'] as const
