/** Describes for how long what grows is kept, in milliseconds. Undefined: for good. */
export interface KeptFor {
  readonly deploymentsMs: number | undefined
  readonly testResultsMs: number | undefined
  /** Counts from when something happened. Undefined: what is deleted is not archived. */
  readonly archiveMs: number | undefined
}

const dayMs = 86_400_000

/** Webhooks are kept for as long, and a provider or a pipeline may repeat what they said until then. */
const daysMin = 30
const daysMax = 36_500

/** Reads for how long what grows is kept. */
export function readKeptFor(texts: ReadonlyMap<string, string>, violations: string[]): KeptFor {
  const read = (name: string, unlimited: string, consequence: string): number | undefined => {
    const text = texts.get(name)
    if (text === undefined || text === unlimited) return undefined
    const days = /^\d{1,5}$/.test(text) ? Number(text) : 0
    if (days >= daysMin && days <= daysMax) return days * dayMs
    violations.push(
      `${name} must be a number of days from ${daysMin} to ${daysMax}, or ${unlimited}. ${consequence}`,
    )
    return undefined
  }
  const deleting = 'Fewer days would delete what people still look at.'
  const keptFor = {
    deploymentsMs: read('SIGNALBOX_KEEP_DEPLOYMENTS', 'forever', deleting),
    testResultsMs: read('SIGNALBOX_KEEP_TEST_RESULTS', 'forever', deleting),
    archiveMs: read(
      'SIGNALBOX_KEEP_ARCHIVE',
      'off',
      'The archive keeps what is deleted elsewhere.',
    ),
  }
  const { deploymentsMs = 0, archiveMs = Infinity } = keptFor
  if (archiveMs <= deploymentsMs)
    violations.push(
      'SIGNALBOX_KEEP_ARCHIVE must be more days than SIGNALBOX_KEEP_DEPLOYMENTS: both count from when a deployment happened, so nothing would be archived.',
    )
  return keptFor
}
