import { ApiError } from '../api/problem-error.ts'
import { listFlag, requestFlags, textFlag, type GlobalFlags } from '../cli-context.ts'
import { isRecord } from '../project/json.ts'
import type { Session } from '../session.ts'
import { CliError } from '../terminal/cli-error.ts'

/** Holds the flags that confirm and explain a change of protected environments. */
export interface ConfirmationFlags {
  readonly confirm?: readonly string[] | undefined
  readonly comment?: string | undefined
}

/** Lists the flags of every command that changes an environment: what confirms and explains a change, and what asks for it. */
export const changeFlags = {
  confirm: listFlag('names', 'Protected environments whose change you confirm'),
  comment: textFlag('text', 'Reason for the change, for the history'),
  ...requestFlags,
} as const

/** Describes the confirmation of a request for protected environments. */
export interface Confirmation {
  readonly confirm?: string[]
  readonly comment?: string
}

/** Describes the confirmation that an environment requires, as the server's rejection states it. */
interface Requirement {
  readonly environment: string
  readonly confirm: boolean
  readonly comment: boolean
}

/**
 * Sends a change with its confirmation. When the server requires more, it asks the person once, if there is one.
 * `--yes` does not count: it answers questions, and here a name must be typed. `typed` lists the names that were
 * typed before.
 *
 * @throws {CliError} the server's rejection, or `cancelled`
 */
export async function sendConfirmed<T>(
  session: Session,
  { confirm = [], comment, yes }: ConfirmationFlags & GlobalFlags,
  typed: readonly string[],
  send: (confirmation: Confirmation) => Promise<T>,
): Promise<T> {
  const confirmation = toConfirmation([...confirm, ...typed], comment)
  try {
    return await send(confirmation)
  } catch (error) {
    const requires = findRequirements(error)
    if (requires === undefined || yes || session.prompts.blockedBy !== undefined) throw error
    return send(await askForConfirmation(session, confirmation, requires))
  }
}

function toConfirmation(confirm: readonly string[], comment: string | undefined): Confirmation {
  return {
    ...(confirm.length > 0 && { confirm: [...confirm] }),
    ...(comment !== undefined && { comment }),
  }
}

function findRequirements(error: unknown): Requirement[] | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.code !== 'confirmation_required' && error.code !== 'comment_required') return undefined
  const { requires } = error.problem
  return (Array.isArray(requires) ? requires : []).filter(isRecord).map((entry) => ({
    environment: String(entry['environment']),
    confirm: entry['confirm'] === true,
    comment: entry['comment'] === true,
  }))
}

async function askForConfirmation(
  { prompts }: Session,
  { confirm = [], comment }: Confirmation,
  requires: readonly Requirement[],
): Promise<Confirmation> {
  const names = [...confirm]
  for (const { environment, confirm: isAsked } of requires) {
    if (!isAsked || names.includes(environment)) continue
    const question = `${environment} is protected. Type "${environment}" to confirm`
    const answer = await prompts.text(question, { placeholder: environment })
    if (answer.trim() !== environment) throw cancelled()
    names.push(environment)
  }
  const isSilent = comment === undefined || comment.trim() === ''
  if (!isSilent || !requires.some((requirement) => requirement.comment))
    return toConfirmation(names, comment)
  const reason = await prompts.text('Reason for the change (stored in the history)')
  if (reason.trim() === '') throw cancelled()
  return toConfirmation(names, reason)
}

/** Returns the error of a change that the person declined. */
export function cancelled(): CliError {
  return new CliError('cancelled', 'cancelled', 'Cancelled. Nothing was changed.')
}
