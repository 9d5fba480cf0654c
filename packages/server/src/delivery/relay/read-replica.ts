import type { ReplicaFile } from '../../replica/file.ts'
import { emptyReplica, listMissing, readManifests, readMark, readRecord } from './read-upstream.ts'
import type { Upstream } from './upstream.ts'

/** Limits the records that are fetched at once. */
const fetchesAtOnce = 64

/** Reads everything that an upstream has for its relay key, and judges it as a relay does. @throws {RefusedError} */
export async function readReplica(upstream: Upstream, now: Date): Promise<ReplicaFile> {
  const state = emptyReplica()
  const { index, signed, indexText, mark } = await readMark(state, upstream, now.getTime())
  state.manifests = await readManifests(state, upstream, index)
  const objects = new Map([[mark.index, indexText], ...state.texts])
  const missing = listMissing(state)
  for (let start = 0; start < missing.length; start += fetchesAtOnce) {
    const batch = missing.slice(start, start + fetchesAtOnce)
    const records = await Promise.all(batch.map((record) => readRecord(state, upstream, record)))
    for (const [at, { name }] of batch.entries()) objects.set(name, records[at]?.text ?? '')
  }
  return { mark: signed, objects }
}
