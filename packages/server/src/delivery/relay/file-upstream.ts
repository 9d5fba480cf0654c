import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseReplicaFile, type ReplicaFile } from '../../replica/file.ts'
import { readWholeFile } from '../../store/whole-file.ts'
import { UpstreamError, type Upstream } from './upstream.ts'

/** Opens a file that `signalbox replica export` has written as an upstream. Another file at its path is read within a second. */
export function openFileUpstream({
  file,
  publisherKeys,
}: {
  readonly file: string
  readonly publisherKeys: readonly string[]
}): Upstream {
  const host = basename(file)
  let known: { readonly state: string; readonly replica: ReplicaFile } | undefined
  const read = async (): Promise<ReplicaFile> => {
    const stats = await stat(file).catch((error: unknown) => {
      throw new UpstreamError(`The file ${host} in SIGNALBOX_UPSTREAM_PATH cannot be read.`, {
        cause: error,
      })
    })
    const state = `${stats.ino} ${stats.size} ${stats.mtimeMs}`
    if (known?.state === state) return known.replica
    const whole = await readWholeFile(file)
    const replica = whole.outcome === 'whole' ? parseReplicaFile(whole.text) : undefined
    if (replica === undefined) {
      throw new UpstreamError(
        `The file ${host} is not complete, or "signalbox replica export" has not written it. Copy it again.`,
      )
    }
    known = { state, replica }
    return replica
  }
  return {
    publicKeys: publisherKeys,
    host,
    // A file says nothing of the key that it was made with, so its node feeds no other.
    keyHandle: undefined,
    isStill: true,
    readMark: async () => JSON.stringify((await read()).mark),
    async readObject({ sha256 }) {
      const text = known?.replica.objects.get(sha256)
      if (text === undefined) throw new Error(`The file ${host} does not hold ${sha256}`)
      return text
    },
    follow: () => () => {},
  }
}
