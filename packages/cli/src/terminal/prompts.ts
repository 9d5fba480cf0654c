import process from 'node:process'
import type { CANCEL_SYMBOL, confirm, isCancel, password, select, text } from '@clack/prompts'
import { CliError } from './cli-error.ts'

/** Asks the person at the terminal. */
export interface Prompts {
  /** Explains why nobody can be asked. `undefined` on a terminal. */
  readonly blockedBy: string | undefined
  /** Asks for yes or no. The default is no. */
  confirm(message: string, initial?: boolean): Promise<boolean>
  text(message: string, options?: { initial?: string; placeholder?: string }): Promise<string>
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

/** The person left the prompt with Ctrl-C or Escape. */
function interrupted(): CliError {
  return new CliError('interrupted', 'interrupted', 'Cancelled. Nothing was changed.')
}

/** Asks on the terminal, on stderr so that stdout stays data. `blockedBy`: why it cannot. */
export function createPrompts(blockedBy: string | undefined): Prompts {
  const common = { output: process.stderr, withGuide: false } as const
  const ask = async <T>(question: (clack: ClackPrompts) => Promise<Answer<T>>): Promise<T> => {
    if (blockedBy !== undefined) {
      throw new CliError('usage', 'cannot_ask', `An answer is needed, but ${blockedBy}.`)
    }
    const clack = await import('@clack/prompts')
    const answer = await question(clack)
    if (clack.isCancel(answer)) throw interrupted()
    return answer
  }
  return {
    blockedBy,
    confirm: (message, initial = false) =>
      ask((clack) => clack.confirm({ ...common, message, initialValue: initial })),
    text: (message, options = {}) =>
      ask((clack) =>
        clack.text({
          ...common,
          message,
          ...(options.initial === undefined ? {} : { initialValue: options.initial }),
          ...(options.placeholder === undefined ? {} : { placeholder: options.placeholder }),
        }),
      ),
    select: (message, choices) =>
      ask((clack) =>
        clack.select({ ...common, message, options: choices.map((choice) => choice) }),
      ),
    hidden: (message) => ask((clack) => clack.password({ ...common, message })),
  }
}
