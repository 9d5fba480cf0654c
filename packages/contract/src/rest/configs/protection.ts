import { z } from 'zod/v4'
import { limits } from '../../limits.ts'
import { comment, confirm } from '../shapes.ts'
import { proofTerms } from './shapes.ts'

/** Names the keys whose open values are no secrets, although they have the form of one. The audit log names them too. */
export const allowPlainField = {
  allowPlain: z.array(z.string()).max(limits.keysPerSchema).optional(),
}

/** Describes the confirmation of a request that changes values in protected environments. */
export const confirmationFields = { comment: comment.optional(), confirm: confirm.optional() }

/**
 * Describes what a write of values says beside what it changes: the confirmation, and how its versions are watched. What the
 * environment asks for counts beside it, each time the stricter one.
 */
export const writeFields = { ...confirmationFields, prove: proofTerms.optional() }

/** Lists the problems of a change that lacks the required confirmation or approvals. */
export const protectionProblems = [
  'confirmation_required',
  'comment_required',
  'approval_required',
] as const
