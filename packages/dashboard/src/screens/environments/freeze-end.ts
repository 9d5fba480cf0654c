/** Lists the ends that a freeze is offered with. `other`: a date and a time of the person's choice. */
export const freezeSpans = ['hour', 'hours', 'tomorrow', 'other'] as const

export type FreezeSpan = (typeof freezeSpans)[number]

/** Maps each end to its words. */
export const spanWords: Readonly<Record<FreezeSpan, string>> = {
  hour: 'In 1 hour',
  hours: 'In 4 hours',
  tomorrow: 'Tomorrow at 08:00',
  other: 'At another time',
}

/** Returns when a freeze of one of the offered spans ends, in the time zone of the browser. `undefined`: a person chooses it. */
export function toEnd(span: FreezeSpan, now: Date): string | undefined {
  if (span === 'other') return undefined
  if (span === 'tomorrow') {
    return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 8).toISOString()
  }
  const hours = span === 'hour' ? 1 : 4
  return new Date(now.getTime() + hours * 3_600_000).toISOString()
}
