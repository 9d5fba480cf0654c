import { buildCommand, type Command } from '@stricli/core'
import { type CliContext, type GlobalFlags, globalFlagLines, globalFlags } from './cli-context.ts'
import { ChangesRequested } from './api/requests/changes-requested.ts'
import { type AskingFlags, toTerms } from './api/requests/terms.ts'
import { openSession, type Session } from './session.ts'
import { openOrganization } from './target.ts'
import { CliError } from './terminal/cli-error.ts'
import { toCommandLine } from './terminal/command-line.ts'

/** Says how a command ends, where that is not with 0. */
export interface End {
  readonly exitWith: number | NodeJS.Signals
}

type Work<FLAGS extends GlobalFlags, ARGS extends readonly unknown[]> = (
  session: Session,
  flags: FLAGS,
  ...args: ARGS
) => Promise<void | End>

/**
 * Wraps a command's work for stricli: it opens the session and passes an exit code on. Where the server made requests of the
 * changes of a command, follows them.
 */
export function action<FLAGS extends GlobalFlags, ARGS extends readonly unknown[] = []>(
  work: Work<FLAGS, ARGS>,
): (this: CliContext, flags: FLAGS, ...args: ARGS) => Promise<void> {
  return async function (this: CliContext, flags: FLAGS, ...args: ARGS) {
    const session = openSession(flags, this.surroundings)
    const result = await work(session, flags, ...args).catch((error: unknown) => {
      if (error instanceof ChangesRequested) return follow(session, error, waitOf(flags))
      throw mayAsk(flags) ? withRequest(error, this.args) : error
    })
    if (result !== undefined) this.exitWith = result.exitWith
    await followMade(session, waitOf(flags))
  }
}

/** Follows the requests that a command has made. They say how it ends. */
async function follow(session: Session, made: ChangesRequested, waitMs: number | undefined) {
  const { output, progress, writes } = session
  const target = { ...(await openOrganization(session)), output, progress, writes }
  const { followRequests } = await import('./api/requests/follow-requests.ts')
  return followRequests(target, made, waitMs)
}

/** Says how the versions are watched that a command has made, and waits for that where the command does. */
async function followMade(session: Session, waitMs: number | undefined): Promise<void> {
  const { output, progress, writes } = session
  if (writes.made.length === 0 || (!writes.isWatched && waitMs === undefined)) return
  const { followProofs } = await import('./api/proofs/follow-proofs.ts')
  const target = await openOrganization(session)
  await followProofs({ ...target, output, progress }, writes.made, waitMs)
}

function waitOf({ wait }: AskingFlags & GlobalFlags): number | undefined {
  return wait
}

/** Returns whether a command could ask for a change, and does not. */
function mayAsk(flags: AskingFlags & GlobalFlags): boolean {
  return 'request' in flags && toTerms(flags) === undefined
}

/** Adds the command with `--request` to the refusal of a change that people must approve. */
function withRequest(error: unknown, args: readonly string[]): unknown {
  if (!(error instanceof CliError) || error.code !== 'approval_required') return error
  const { reason, code, details, docs } = error
  const message = 'Other people must approve this change.'
  const advice = `To ask for it: ${toCommandLine(args, '--request')}`
  return new CliError(reason, code, message, { details, docs, advice, cause: error })
}

interface Flag {
  readonly kind: 'boolean' | 'enum' | 'parsed'
  readonly brief: string
  readonly placeholder?: string
  readonly optional?: true
  readonly default?: string
  readonly values?: readonly string[]
  readonly parse?: (input: string) => unknown
  /** Lets the flag stand without a text, which is then empty. */
  readonly inferEmpty?: true
  /** Lets the flag be repeated, and a text be the list of several where it names what separates them. */
  readonly variadic?: string | true
}

type Flags = Readonly<Record<string, Flag>>

interface Argument {
  readonly brief: string
  readonly placeholder: string
  readonly optional?: true
}

/** Describes arguments that are any number of texts. */
interface ListArgument extends Argument {
  readonly minimum: number
}

type Arguments = readonly Argument[] | ListArgument

type One<F extends Flag> = F extends { readonly kind: 'boolean' }
  ? boolean
  : F extends { readonly values: readonly (infer V)[] }
    ? V
    : F extends { readonly parse: (input: string) => infer V }
      ? V
      : never

type Each<F extends Flag> = F extends { readonly variadic: string | true }
  ? readonly One<F>[]
  : One<F>

type OptionalNames<FLAGS extends Flags> = {
  [NAME in keyof FLAGS]: FLAGS[NAME] extends { readonly optional: true } ? NAME : never
}[keyof FLAGS]

/** Holds what a command gets of its flags, and of those of every command. */
export type FlagValues<FLAGS extends Flags> = GlobalFlags & {
  readonly [NAME in OptionalNames<FLAGS>]?: Each<FLAGS[NAME]> | undefined
} & { readonly [NAME in Exclude<keyof FLAGS, OptionalNames<FLAGS>>]: Each<FLAGS[NAME]> }

type ArgumentValues<ARGS extends Arguments> = ARGS extends readonly Argument[]
  ? {
      readonly [AT in keyof ARGS]: ARGS[AT] extends { readonly optional: true }
        ? string | undefined
        : string
    }
  : readonly string[]

/** Describes a command whose arguments are texts. */
export interface CommandParts<FLAGS extends Flags, ARGS extends Arguments> {
  /** Says what a subcommand does, for the list of its group. `help/briefs.ts` says it of the others. */
  readonly brief?: string
  /** Holds the paragraph of its help. */
  readonly about: string
  readonly examples: readonly string[]
  /** Lists its flags beside those of every command. */
  readonly flags?: FLAGS
  /** Maps letters to flags. */
  readonly aliases?: Readonly<Record<string, string>>
  readonly args?: ARGS
  readonly run: Work<FlagValues<FLAGS>, ArgumentValues<ARGS>>
}

/** Defines a command. The types of what `run` gets are those of its flags and arguments. */
export function defineCommand<
  // A command without flags of its own.
  // oxlint-disable-next-line typescript/no-generated-empty-object-type
  const FLAGS extends Flags = Record<never, Flag>,
  const ARGS extends Arguments = [],
>({
  brief = '',
  about,
  examples,
  flags,
  aliases = {},
  args,
  run,
}: CommandParts<FLAGS, ARGS>): Command<CliContext> {
  return buildCommand<GlobalFlags, readonly string[], CliContext>({
    // Stricli passes what the flags and arguments below describe, which the type of `run` is made of.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    func: action(run as unknown as Work<GlobalFlags, readonly string[]>),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    parameters: {
      flags: { ...globalFlags, ...flags },
      aliases,
      positional: toPositional(args ?? []),
    } as never,
    docs: { brief, fullDescription: describe(about, examples) },
  })
}

const parse = (text: string) => text

function toPositional(args: Arguments) {
  if ('minimum' in args) {
    const { minimum, ...parameter } = args
    return { kind: 'array', parameter: { ...parameter, parse }, minimum }
  }
  return { kind: 'tuple', parameters: args.map((argument) => ({ ...argument, parse })) }
}

const helpColumns = 92

/** Returns the long help of a command: a paragraph, then examples. */
export function describe(paragraph: string, examples: readonly string[]): string {
  return [
    ...wrapWords(paragraph),
    '',
    'EXAMPLES',
    ...examples.map((example) => `  ${example}`),
    '',
    'EVERY COMMAND TAKES',
    ...globalFlagLines,
  ].join('\n')
}

function wrapWords(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + word.length >= helpColumns) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}
