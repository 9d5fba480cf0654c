import { ConfigError } from '../config-error.ts'
import type { CoreOptions } from './core.ts'

/** Receives the errors of a client: for `onError` where the program has one, else for the log of the process. */
export interface Complaints {
  /** Called with every error. */
  readonly error: (error: unknown) => void
  /** Called when the server has answered. */
  readonly recovered: () => void
}

/**
 * Opens the complaints of a client. Without `onError` it writes one line to the log (stderr in Node) each time its
 * state becomes another one, so that a wrong key does not look like flags that are off. It is silent once `closed`.
 */
export function openComplaints(
  { onError, serverUrl, token }: CoreOptions,
  closed: AbortSignal,
): Complaints {
  let code: string | undefined
  let before: string | undefined
  const write = (sentence: string) => {
    // The words of a server may hold line ends, or the key that it was sent.
    const line = sentence.replaceAll(token, '…').replaceAll(/\p{Cc}+/gu, ' ')
    // oxlint-disable-next-line no-console
    console.error(`Signalbox: ${line}`)
  }
  /** Lists what is said of a key, and not of the state of the client. */
  const ofKeys: ReadonlySet<string> = new Set(['unknown_key', 'out_of_range'])
  const writeOnce = (error: unknown) => {
    if (error instanceof ConfigError && !ofKeys.has(error.code)) {
      if (error.code !== code) write(sentenceOf(error))
      code = error.code
      return
    }
    const sentence = error instanceof ConfigError ? sentenceOf(error) : String(error)
    // A full disk fails after every answer.
    if (sentence !== before) write(sentence)
    before = sentence
  }
  const receive = onError ?? writeOnce
  return {
    error(error) {
      if (!closed.aborted) receive(error)
    },
    recovered() {
      if (code !== undefined) write(`${serverUrl} responds again.`)
      code = undefined
    },
  }
}

const sentenceOf = ({ message, hint = '' }: ConfigError) =>
  `${message}${message.endsWith('.') ? '' : '.'} ${hint}`
