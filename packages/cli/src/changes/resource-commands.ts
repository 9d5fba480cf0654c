import type { Command } from '@stricli/core'
import { defineCommand } from '../action.ts'
import type { Api } from '../api/api.ts'
import type { CliContext } from '../cli-context.ts'
import type { Session } from '../session.ts'
import { openOrganization } from '../target.ts'
import { renderTable } from '../terminal/table.ts'
import type { Styles } from '../terminal/styles.ts'
import { confirmChange, type ConfirmationRequest } from './confirm.ts'
import { type Confirmation, type ConfirmationFlags, sendConfirmed } from './confirmation.ts'

/** Describes the list of one kind of resource. */
export interface ListParts<T> {
  /** Names the resources. Example: `outgoing webhooks`. */
  readonly noun: string
  /** Names the member of the document that holds them. */
  readonly member: string
  readonly read: (api: Api, orgId: string) => Promise<readonly T[]>
  readonly rowOf: (item: T, styles: Styles, all: readonly T[]) => readonly string[]
  /** Says how to create the first one. */
  readonly create: string
  readonly about: string
  readonly word: string
}

/** Defines the command that lists one kind of resource. */
export function defineList<T>(parts: ListParts<T>): Command<CliContext> {
  const { noun, member, read, rowOf, create, about, word } = parts
  return defineCommand({
    brief: `List the ${noun}`,
    about,
    examples: [`signalbox ${word}`],
    run: async (session) => {
      const { api, organization } = await openOrganization(session)
      const items = await session.progress(`Reading the ${noun}`, () => read(api, organization.id))
      const { output } = session
      output.document({ [member]: items })
      const rows = items.map((item) => rowOf(item, output.styles, items))
      output.data(rows.length === 0 ? `There are no ${noun}. ${create}` : renderTable(rows))
    },
  })
}

export interface ResourceChange<T> {
  /** Says what would be done. Example: `delete the segment beta`. */
  readonly would: string
  /** Holds what the document of a dry run shows. */
  readonly plan: Readonly<Record<string, unknown>>
  /** Asks before it is sent. Left out: nobody is asked. */
  readonly ask?: ConfirmationRequest
  readonly send: (confirmation: Confirmation) => Promise<T>
  /** Says what was done, and what the document shows of it. */
  readonly done: (answer: T) => readonly [text: string, document: Readonly<Record<string, unknown>>]
}

/** Carries out one change: only shows it with `--dry-run`, otherwise asks, sends it and prints what was done. */
export async function carryOut<T>(
  session: Session,
  { would, plan, ask, send, done }: ResourceChange<T>,
  flags: ConfirmationFlags = {},
): Promise<T | undefined> {
  const { output } = session
  if (session.flags.dryRun) {
    output.document({ dryRun: true, ...plan })
    output.result(`Would ${would}.`)
    return undefined
  }
  const typed = ask === undefined ? [] : await confirmChange(session, ask)
  const answer = await sendConfirmed(session, { ...session.flags, ...flags }, typed, send)
  const [text, document] = done(answer)
  output.document(document)
  output.result(`${output.styles.green('✓')} ${text}`)
  return answer
}

/** Asks before something is deleted that no protection is about. */
export function askToDelete(name: string, question: string): ConfirmationRequest {
  return { environment: { name, production: false }, question, elsewhere: 'always' }
}
