import { oneOf, readSearch, text } from '../address-values.ts'

const states = ['received', 'processing', 'done', 'ignored', 'failed', 'dead'] as const
const kinds = ['codehost', 'tracker', 'chat'] as const

/** Reads the address of the screen. */
export const readWebhooksSearch = readSearch({
  state: oneOf(...states),
  kind: oneOf(...kinds),
  event: text,
  /** Holds the id of the open webhook. */
  delivery: text,
})

/** Describes the address of the screen. */
export type WebhooksSearch = ReturnType<typeof readWebhooksSearch>

/** Lists the words for each state, with the next step where it is not obvious. */
export const stateNames: Readonly<Record<(typeof states)[number], string>> = {
  received: 'Waiting',
  processing: 'Being processed',
  done: 'Done',
  ignored: 'Ignored',
  failed: 'Failed, will retry',
  dead: 'Permanently failed',
}

/** Lists the states of the filter. */
export const stateChoices = states
/** Lists the kinds of integration of the filter. */
export const kindChoices = [
  { value: 'codehost', label: 'Code host' },
  { value: 'tracker', label: 'Issue tracker' },
  { value: 'chat', label: 'Chat' },
] as const
