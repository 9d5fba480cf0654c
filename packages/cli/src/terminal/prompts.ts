import process from 'node:process'
import type { CANCEL_SYMBOL, confirm, isCancel, password, select, text } from '@clack/prompts'
import { CliError } from './cli-error.ts'

/** Asks the person at the terminal. */
export interface Prompts {
  /** Explains why nobody can be asked. `undefined` on a terminal. */
  readonly blockedBy: string | undefined
  /** Asks for yes or no. The default is no. */
  confirm(message: string, initial?: boolean): Promise<boolean>
  /** Asks for a text. An empty answer is the proposal, which is no part of what is typed. */
  text(message: string, options?: { proposal?: string; placeholder?: string }): Promise<string>
  select(message: string, choices: readonly { value: string; label: string }[]): Promise<string>
  /** Asks for a secret. It shows dots. */
  hidden(message: string): Promise<string>
}

type Answer<T> = T | typeof CANCEL_SYMBOL

interface ClackPrompts {
  readonly confirm: typeof confirm
  readonly isCancel: typeof isCancel
  readonly password: typeof password
  readonly select: typeof select
  readonly text: typeof text
}

interface CommonOptions {
  readonly output: typeof process.stderr
  readonly withGuide: false
  readonly signal: AbortSignal
}

type Question<T> = (clack: ClackPrompts, common: CommonOptions) => Promise<Answer<T>>

/** The person left the prompt with Ctrl-C, Ctrl-D or Escape. */
function interrupted(): CliError {
  return new CliError('interrupted', 'interrupted', 'Cancelled. Nothing was changed.')
}

/** Asks on the terminal, on stderr so that stdout stays data. `blockedBy`: why it cannot. */
export function createPrompts(blockedBy: string | undefined): Prompts {
  const ask = async <T>(question: Question<T>): Promise<T> => {
    if (blockedBy !== undefined) {
      throw new CliError('usage', 'cannot_ask', `This command needs an answer, but ${blockedBy}.`)
    }
    const clack = await import('@clack/prompts')
    const answer = await untilInputEnds((signal) =>
      question(clack, { output: process.stderr, withGuide: false, signal }),
    )
    if (clack.isCancel(answer)) throw interrupted()
    return answer
  }
  return {
    blockedBy,
    confirm: (message, initial = false) =>
      ask((clack, common) => clack.confirm({ ...common, message, initialValue: initial })),
    text: (message, options = {}) =>
      ask((clack, common) =>
        clack.text({
          ...common,
          message,
          ...(options.proposal === undefined ? {} : { defaultValue: options.proposal }),
          ...(options.placeholder === undefined ? {} : { placeholder: options.placeholder }),
        }),
      ),
    select: (message, choices) =>
      ask((clack, common) =>
        clack.select({ ...common, message, options: choices.map((choice) => choice) }),
      ),
    hidden: (message) => ask((clack, common) => clack.password({ ...common, message })),
  }
}

/**
 * Runs a prompt and cancels it when its input ends. Ctrl-D on an empty line, or a terminal that is closed, ends the
 * input without an answer: the prompt would never settle, and the process end as if all were well.
 */
async function untilInputEnds<T>(prompt: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const cancel = new AbortController()
  let isAnswered = false
  // An answer pauses the input too, and has settled by the next turn.
  const later = () => {
    setImmediate(() => {
      if (!isAnswered) cancel.abort()
    })
  }
  const { stdin } = process
  for (const event of ['pause', 'end'] as const) stdin.on(event, later)
  try {
    return await prompt(cancel.signal)
  } finally {
    isAnswered = true
    for (const event of ['pause', 'end'] as const) stdin.off(event, later)
  }
}
