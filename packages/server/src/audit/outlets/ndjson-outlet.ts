import { toTime, type EventBatch, type Outlet } from './outlet.ts'

export interface LineWriter {
  write(line: string): unknown
}

/** Creates the outlet that writes one line of JSON for each event, such as to standard output. */
export function createNdjsonOutlet(out: LineWriter): Outlet {
  return {
    name: 'stdout',
    batchMax: 100,
    send(batch) {
      for (const line of renderLines(batch)) out.write(line)
      return Promise.resolve({ state: 'taken', rejected: 0 })
    },
  }
}

/** Renders the events of a batch as lines. `type` distinguishes them from lines of the log. */
export function renderLines({ orgId, newest, events }: EventBatch): string[] {
  return events.map((event) => {
    const { micros, previousHash, hash, sequence, id, ...fields } = event
    const line = {
      type: 'signalbox.audit',
      organization: orgId,
      sequence,
      id,
      at: toTime(micros),
      ...fields,
      previousHash: previousHash.toString('hex'),
      hash: hash.toString('hex'),
      newestSequence: newest.sequence,
      newestHash: newest.hash.toString('hex'),
    }
    return `${JSON.stringify(line)}\n`
  })
}
