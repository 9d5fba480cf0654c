import type { IdKind } from '@signalbox/contract'

/** Names what messages are about. */
export interface Subject {
  readonly type: 'deployment' | 'integration' | 'configuration' | 'changeRequest'
  readonly id: string
}

/** Names what an event is about: the subject of messages, or a test run or a proof, which the message of another thing reports. */
export type EventSubject =
  | Subject
  | { readonly type: 'testRun'; readonly id: string }
  | { readonly type: 'proof'; readonly id: string }

const types = {
  dep: 'deployment',
  run: 'testRun',
  int: 'integration',
  ver: 'configuration',
  chr: 'changeRequest',
  prf: 'proof',
} as const satisfies Partial<Record<IdKind, EventSubject['type']>>

/** Reads what an event is about from the id that its job carries; `undefined`: no message is about such a thing. */
export function readEventSubject(id: string): EventSubject | undefined {
  const kind = id.slice(0, id.indexOf('_'))
  const type = Object.entries(types).find(([name]) => name === kind)?.[1]
  return type === undefined ? undefined : { type, id }
}
