/** Describes for how long what grows is kept, in milliseconds. Undefined: for good. */
export interface KeptFor {
  readonly deploymentsMs: number | undefined
  readonly testResultsMs: number | undefined
}

const dayMs = 86_400_000

/** Webhooks are kept for as long, and a provider or a pipeline may repeat what they said until then. */
const daysMin = 30
const daysMax = 36_500

/** Reads for how long what grows is kept. */
export function readKeptFor(texts: ReadonlyMap<string, string>, violations: string[]): KeptFor {
  const read = (name: string): number | undefined => {
    const text = texts.get(name)
    if (text === undefined || text === 'forever') return undefined
    const days = /^\d{1,5}$/.test(text) ? Number(text) : 0
    if (days >= daysMin && days <= daysMax) return days * dayMs
    violations.push(
      `${name} must be a number of days from ${daysMin} to ${daysMax}, or forever. Fewer days would delete what people still look at.`,
    )
    return undefined
  }
  return {
    deploymentsMs: read('SIGNALBOX_KEEP_DEPLOYMENTS'),
    testResultsMs: read('SIGNALBOX_KEEP_TEST_RESULTS'),
  }
}
