import { ApiRefusal } from './api/problem-error.ts'
import { textFlag, type GlobalFlags } from './cli-context.ts'
import { isRecord } from './project/json.ts'
import type { Session } from './session.ts'
import { CliError } from './terminal/cli-error.ts'

/** The flags with which a change of protected environments is confirmed and explained. */
export interface ConsentFlags {
  readonly confirm?: readonly string[] | undefined
  readonly comment?: string | undefined
}

export const consentFlags = {
  confirm: {
    kind: 'parsed',
    parse: (input: string) => input,
    optional: true,
    variadic: ',',
    brief: 'Protected environments that the change is meant for',
    placeholder: 'names',
  },
  comment: textFlag('text', 'Why, for the history'),
} as const

/** What a request brings along for protected environments. */
export interface Consent {
  readonly confirm?: string[]
  readonly comment?: string
}

/** What an environment asks for, as the server's refusal says it. */
interface Requirement {
  readonly environment: string
  readonly confirm: boolean
  readonly comment: boolean
}

/**
 * Sends a change with the consent that was given, and asks for what the server finds missing: once, and only where somebody
 * can be asked. `--yes` is no consent: it answers questions, and this is a name to be typed. `typed`: names that were typed to
 * confirm the change before it was sent.
 *
 * @throws {CliError} the server's refusal, or `cancelled`
 */
export async function sendWithConsent<T>(
  session: Session,
  { confirm = [], comment, yes }: ConsentFlags & GlobalFlags,
  typed: readonly string[],
  send: (consent: Consent) => Promise<T>,
): Promise<T> {
  const given = toConsent([...confirm, ...typed], comment)
  try {
    return await send(given)
  } catch (error) {
    const requires = findRequirements(error)
    if (requires === undefined || yes || session.prompts.blockedBy !== undefined) throw error
    return send(await askForConsent(session, given, requires))
  }
}

function toConsent(confirm: readonly string[], comment: string | undefined): Consent {
  return {
    ...(confirm.length > 0 && { confirm: [...confirm] }),
    ...(comment !== undefined && { comment }),
  }
}

function findRequirements(error: unknown): Requirement[] | undefined {
  if (!(error instanceof ApiRefusal)) return undefined
  if (error.code !== 'confirmation_required' && error.code !== 'comment_required') return undefined
  const { requires } = error.problem
  return (Array.isArray(requires) ? requires : []).filter(isRecord).map((entry) => ({
    environment: String(entry['environment']),
    confirm: entry['confirm'] === true,
    comment: entry['comment'] === true,
  }))
}

async function askForConsent(
  { prompts }: Session,
  { confirm = [], comment }: Consent,
  requires: readonly Requirement[],
): Promise<Consent> {
  const names = [...confirm]
  for (const { environment, confirm: isAsked } of requires) {
    if (!isAsked || names.includes(environment)) continue
    const question = `Changes of ${environment} are confirmed. Type ${environment} to go on`
    const answer = await prompts.text(question, { placeholder: environment })
    if (answer.trim() !== environment) throw cancelled()
    names.push(environment)
  }
  const isSilent = comment === undefined || comment.trim() === ''
  if (!isSilent || !requires.some((asked) => asked.comment)) return toConsent(names, comment)
  const reason = await prompts.text('Why? The history keeps what you say')
  if (reason.trim() === '') throw cancelled()
  return toConsent(names, reason)
}

/** That somebody said no to a change. */
export function cancelled(): CliError {
  return new CliError('cancelled', 'cancelled', 'Cancelled. Nothing was changed.')
}
