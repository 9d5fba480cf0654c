import type { ProviderError, ProviderFailure } from '../provider-error.ts'
import type { ChatDialect } from './chat-dialect.ts'
import { nameChatCode, type ExplainedFailure } from './explain-chat-failure.ts'

/** Describes what a code of a chat means for us, what follows from it, and what people read. */
export interface ChatErrorMeaning extends ExplainedFailure {
  readonly failure: ProviderFailure
}

/** Describes a message that a person took away. */
export const deletedMessage: ChatErrorMeaning = {
  failure: 'notFound',
  reaction: 'deleted',
  detail: 'Somebody deleted the message.',
  nextStep: 'Nothing to do. Signalbox announces a new failure in a new message.',
}

/** Returns rows of a table: codes that mean the same. */
export function codesOf(
  meaning: ChatErrorMeaning,
  codes: readonly string[],
): (readonly [string, ChatErrorMeaning])[] {
  return codes.map((code) => [code, meaning] as const)
}

/** Knows what the codes of a chat mean. */
interface ChatErrorTable extends Pick<ChatDialect, 'explainError' | 'explainCode'> {
  /** Lists the codes that mean something to us. */
  readonly codes: readonly string[]
  /** Returns the failure that a code means; `undefined` for one that is not in the table. `changes`: the call changes something. */
  readonly failureOf: (code: string, changes?: boolean) => ProviderFailure | undefined
}

/** Returns whether a failure is about the connection, and not about the one channel or message of the call. */
export function concernsConnection(failure: ProviderFailure): boolean {
  return failure !== 'forbidden' && failure !== 'notFound' && failure !== 'rejected'
}

/** Returns what a code means that no chat has made: a server that failed does not say what became of a message. */
function failureOfOther(code: string): ProviderFailure {
  if (code === 'http_503') return 'unavailable'
  return /^http_5\d\d$/.test(code) ? 'ambiguous' : 'rejected'
}

/** Creates the table of a chat. `others` explains what is not among the rows, by what the failure means for us. */
export function createChatErrorTable(
  rows: readonly (readonly [string, ChatErrorMeaning])[],
  others: Readonly<Record<ProviderFailure, ExplainedFailure>>,
): ChatErrorTable {
  const meanings = new Map(rows)
  return {
    codes: [...meanings.keys()],
    failureOf(code, changes = true) {
      const failure = meanings.get(code)?.failure
      return failure === 'ambiguous' && !changes ? 'unavailable' : failure
    },
    explainError({ code, failure, retryAt }: Pick<ProviderError, 'code' | 'failure' | 'retryAt'>) {
      const known = meanings.get(code)
      // An error of the server that came with the proof that nothing was done is safe to repeat.
      const isUndone = known?.reaction === 'unclear' && failure === 'unavailable'
      const { reaction, detail, nextStep } =
        known === undefined || isUndone ? nameChatCode(others[failure], code) : known
      return { reaction, code, detail, nextStep, retryAt }
    },
    explainCode(code) {
      const { detail, nextStep } =
        meanings.get(code) ?? nameChatCode(others[failureOfOther(code)], code)
      return { detail, nextStep }
    },
  }
}
