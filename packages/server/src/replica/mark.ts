/**
 * Says what is current, and when that was so. Signed anew every few seconds, so that its age shows when somebody
 * holds changes back.
 */
export interface Mark {
  readonly epoch: number
  /** Grows with each mark of an epoch. */
  readonly counter: number
  /** The SHA-256 of the index, as base64url. */
  readonly index: string
  /** Milliseconds since 1970. */
  readonly atMs: number
}

const pattern = /^signalbox-mark 1\n(\d{1,15})\n(\d{1,15})\n([\w-]{43})\n(\d{1,15})$/

/** Renders a mark, one field a line. */
export function renderMark({ epoch, counter, index, atMs }: Mark): string {
  return ['signalbox-mark 1', epoch, counter, index, atMs].join('\n')
}

/** Parses a mark. Returns `undefined` for anything that `renderMark` does not write. */
export function parseMark(text: string): Mark | undefined {
  const [, epoch, counter, index, atMs] = pattern.exec(text) ?? []
  if (index === undefined) return undefined
  const mark = { epoch: Number(epoch), counter: Number(counter), index, atMs: Number(atMs) }
  // Leading zeros would give one mark several texts.
  return renderMark(mark) === text ? mark : undefined
}

/** Returns whether a mark is older than another: it is of an earlier epoch, or has a lower counter. The time orders nothing. */
export function isOlderMark(mark: MarkOrder, other: MarkOrder): boolean {
  return mark.epoch === other.epoch ? mark.counter < other.counter : mark.epoch < other.epoch
}

export type MarkOrder = Pick<Mark, 'epoch' | 'counter'>
