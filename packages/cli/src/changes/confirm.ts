import type { Environment } from '../api/operations.ts'
import { cancelled } from './confirmation.ts'
import { findReached } from './environment-descendants.ts'
import type { Session } from '../session.ts'
import type { Target } from '../target.ts'
import { CliError } from '../terminal/cli-error.ts'

/** Describes a change that is about to be made, and how it is confirmed. */
export interface ConfirmationRequest {
  readonly environment: Environment
  /** A question that yes answers. */
  readonly question: string
  /** Why it does not go on unasked in production; by default that the environment is one. */
  readonly reason?: string
  /**
   * When to ask in an environment that is not production: never, when somebody is there, or always, so
   * that it does not go on unasked.
   */
  readonly elsewhere?: 'never' | 'onTerminal' | 'always'
  /** The environments that `--confirm` names: a change of those is not asked about again. */
  readonly confirmed?: readonly string[] | undefined
}

/**
 * Asks before a change. A production environment asks to type its name and never goes on unasked.
 * `--yes` answers all of it, and `--confirm` with the name. Gives the names that were typed.
 *
 * @throws {CliError} `cancelled` when the answer is no, `confirmation_required` when nobody can be asked
 */
export async function confirmChange(
  session: Session,
  { environment, question, reason, elsewhere = 'never', confirmed = [] }: ConfirmationRequest,
): Promise<readonly string[]> {
  const { production, name } = environment
  if (isAnswered(session, { environment, elsewhere, confirmed })) return []
  const { blockedBy } = session.prompts
  if (blockedBy !== undefined) {
    if (!production && elsewhere !== 'always') return []
    throw unasked(
      production ? (reason ?? `${name} is a production environment`) : 'This cannot be undone',
      blockedBy,
    )
  }
  const agreed = production
    ? await typedName(session, name, question)
    : await session.prompts.confirm(question, elsewhere === 'onTerminal')
  if (!agreed) throw cancelled()
  return production ? [name] : []
}

function isAnswered(
  { flags }: Session,
  { environment, elsewhere, confirmed = [] }: Omit<ConfirmationRequest, 'question' | 'reason'>,
): boolean {
  const { production, name } = environment
  return flags.yes === true || confirmed.includes(name) || (!production && elsewhere === 'never')
}

function unasked(why: string, blockedBy: string): CliError {
  return new CliError(
    'usage',
    'confirmation_required',
    `${why}, and nobody can be asked: ${blockedBy}.`,
    { advice: 'Repeat with --yes if you mean it.' },
  )
}

/**
 * Asks before values of an environment change, which the environments that inherit from it read at once.
 *
 * @throws {CliError} as `confirmChange`
 */
export async function confirmValueChange(
  session: Session,
  { api, organization, environment }: Target,
  { question, confirmed }: Pick<ConfirmationRequest, 'question' | 'confirmed'>,
): Promise<readonly string[]> {
  if (session.flags.yes) return []
  const environments = environment.production ? [] : await api.environments(organization.id)
  const reached = findReached(environment, environments)
  if (reached === undefined || reached === environment) {
    return confirmChange(session, { environment, question, confirmed })
  }
  const reason = `${reached.name} is a production environment and inherits from ${environment.name}`
  session.output.note(`${reason}.`)
  return confirmChange(session, { environment: reached, question, reason, confirmed })
}

async function typedName(session: Session, name: string, question: string): Promise<boolean> {
  const typed = await session.prompts.text(`${question} Type ${name} to go on`, {
    placeholder: name,
  })
  return typed.trim() === name
}
