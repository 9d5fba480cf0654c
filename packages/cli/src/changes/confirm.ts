import type { Environment } from '../api/operations.ts'
import { cancelled } from './confirmation.ts'
import { findReached } from './environment-descendants.ts'
import type { Session } from '../session.ts'
import type { Target } from '../target.ts'
import { CliError } from '../terminal/cli-error.ts'

/** Describes a change, and how it is confirmed. */
export interface ConfirmationRequest {
  readonly environment: Pick<Environment, 'name' | 'production'>
  /** Holds a yes-or-no question. */
  readonly question: string
  /** Explains why it needs a confirmation in production. Default: because the environment is one. */
  readonly reason?: string
  /** Says when to ask in other environments than production: never, when a person is there, or always. */
  readonly elsewhere?: 'never' | 'onTerminal' | 'always'
  /** Lists the environments of `--confirm`, which are not asked about again. */
  readonly confirmed?: readonly string[] | undefined
}

/**
 * Asks for confirmation before a change. For a production environment the person types its name; without one the
 * change does not go on. `--yes` confirms everything, `--confirm` one name. Returns the names that were typed.
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
    throw confirmationRequired(
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

function confirmationRequired(why: string, blockedBy: string): CliError {
  return new CliError(
    'usage',
    'confirmation_required',
    `${why}, and the command can't ask: ${blockedBy}.`,
    { advice: 'To continue anyway, repeat with --yes.' },
  )
}

/**
 * Asks for confirmation before values of an environment change. The environments that inherit from it change at once
 * too.
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
  const reason = `${reached.name} is a production environment that inherits from ${environment.name}`
  session.output.note(`${reason}.`)
  return confirmChange(session, { environment: reached, question, reason, confirmed })
}

async function typedName(session: Session, name: string, question: string): Promise<boolean> {
  const typed = await session.prompts.text(`${question} Type "${name}" to confirm`, {
    placeholder: name,
  })
  return typed.trim() === name
}
