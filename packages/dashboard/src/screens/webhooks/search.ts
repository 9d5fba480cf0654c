const states = ['received', 'processing', 'done', 'ignored', 'failed', 'dead'] as const
const kinds = ['codehost', 'tracker', 'chat'] as const

/** Describes the address of the screen. */
export interface WebhooksSearch {
  readonly state?: (typeof states)[number]
  readonly kind?: (typeof kinds)[number]
  readonly event?: string
  /** Holds the id of the open webhook. */
  readonly delivery?: string
}

/** Reads the address of the screen. Unknown values are left out. */
export function readWebhooksSearch(search: Record<string, unknown>): WebhooksSearch {
  const { event, delivery } = search
  const state = states.find((one) => one === search['state'])
  const kind = kinds.find((one) => one === search['kind'])
  return {
    ...(state && { state }),
    ...(kind && { kind }),
    ...(typeof event === 'string' && event !== '' && { event }),
    ...(typeof delivery === 'string' && { delivery }),
  }
}

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
