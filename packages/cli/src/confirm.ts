import type { Environment } from './api/operations.ts'
import { findReached } from './heirs.ts'
import type { Session } from './session.ts'
import type { Target } from './target.ts'
import { CliError } from './terminal/cli-error.ts'

export interface Confirmation {
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
}

/**
 * Asks before a change. A production environment asks to type its name and never goes on unasked.
 * `--yes` answers all of it.
 *
 * @throws {CliError} `cancelled` when the answer is no, `confirmation_required` when nobody can be asked
 */
export async function confirmChange(
  session: Session,
  { environment, question, reason, elsewhere = 'never' }: Confirmation,
): Promise<void> {
  const { production, name } = environment
  if (session.flags.yes || (!production && elsewhere === 'never')) return
  const { blockedBy } = session.prompts
  if (blockedBy !== undefined) {
    if (!production && elsewhere !== 'always') return
    const why = production
      ? (reason ?? `${name} is a production environment`)
      : 'This cannot be undone'
    throw new CliError(
      'usage',
      'confirmation_required',
      `${why}, and nobody can be asked: ${blockedBy}.`,
      { hint: 'Repeat with --yes if you mean it.' },
    )
  }
  const agreed = production
    ? await typedName(session, name, question)
    : await session.prompts.confirm(question, elsewhere === 'onTerminal')
  if (!agreed) throw new CliError('cancelled', 'cancelled', 'Cancelled. Nothing was changed.')
}

/**
 * Asks before values of an environment change, which the environments that inherit from it read at once.
 *
 * @throws {CliError} as `confirmChange`
 */
export async function confirmValueChange(
  session: Session,
  { api, organization, environment }: Target,
  question: string,
): Promise<void> {
  if (session.flags.yes) return
  const environments = environment.production ? [] : await api.environments(organization.id)
  const reached = findReached(environment, environments)
  if (reached === undefined || reached === environment) {
    return confirmChange(session, { environment, question })
  }
  const reason = `${reached.name} is a production environment and inherits from ${environment.name}`
  session.output.note(`${reason}.`)
  return confirmChange(session, { environment: reached, question, reason })
}

async function typedName(session: Session, name: string, question: string): Promise<boolean> {
  const typed = await session.prompts.text(`${question} Type ${name} to go on`, {
    placeholder: name,
  })
  return typed.trim() === name
}
