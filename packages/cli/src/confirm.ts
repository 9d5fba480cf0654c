import type { Environment } from './api/operations.ts'
import type { Session } from './session.ts'
import { CliError } from './terminal/cli-error.ts'

export interface Confirmation {
  readonly environment: Environment
  /** A question that yes answers. */
  readonly question: string
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
  { environment, question, elsewhere = 'never' }: Confirmation,
): Promise<void> {
  const { production, name } = environment
  if (session.flags.yes || (!production && elsewhere === 'never')) return
  const { blockedBy } = session.prompts
  if (blockedBy !== undefined) {
    if (!production && elsewhere !== 'always') return
    const why = production ? `${name} is a production environment` : 'This cannot be undone'
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

async function typedName(session: Session, name: string, question: string): Promise<boolean> {
  const typed = await session.prompts.text(`${question} Type ${name} to go on`, {
    placeholder: name,
  })
  return typed.trim() === name
}
