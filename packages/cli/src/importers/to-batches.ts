import { importFormat, limits, type ImportSource } from '@signalbox/contract'
import type { ImportDocument } from '@signalbox/contract/rest'
import type { ReadExport } from './importer.ts'

/** Keeps each request well below the limits of a body: 4 MiB, and 20,000 nodes of JSON. */
const nodesPerRequest = 12_000
const charactersPerRequest = 2_000_000

/** Divides what was read into documents that one request each may carry. */
export function toBatches(source: ImportSource, { keys, leftOut }: ReadExport): ImportDocument[] {
  const batches: ImportDocument[] = []
  const start = (): ImportDocument => ({ format: importFormat, source, keys: [], leftOut: [] })
  let batch = start()
  let [nodes, characters] = [0, 0]
  const add = (item: object, put: (batch: ImportDocument) => void) => {
    const text = JSON.stringify(item)
    const more = countNodes(item)
    const isFull =
      nodes + more > nodesPerRequest ||
      characters + text.length > charactersPerRequest ||
      batch.keys.length + batch.leftOut.length >= limits.keysPerImport
    if (isFull && nodes > 0) {
      batches.push(batch)
      batch = start()
      ;[nodes, characters] = [0, 0]
    }
    nodes += more
    characters += text.length
    put(batch)
  }
  for (const key of keys) add(key, (to) => to.keys.push(key))
  for (const one of leftOut) add(one, (to) => to.leftOut.push(one))
  return nodes > 0 ? [...batches, batch] : batches
}

function countNodes(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, member) => sum + countNodes(member), 1)
}
