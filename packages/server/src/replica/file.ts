import { z } from 'zod'
import type { Signed } from './signed.ts'

/** Holds a replica in one file: the newest mark, and everything that it names. */
export interface ReplicaFile {
  readonly mark: Signed
  /** Maps the names of the index, the manifests and the records to their texts. */
  readonly objects: ReadonlyMap<string, string>
}

const form = 'signalbox-replica 1'
const markShape = z.object({ text: z.string(), signatures: z.string() })
const objectShape = z.tuple([z.string(), z.string()])

/** Renders a replica, one JSON document a line. */
export function renderReplicaFile({ mark, objects }: ReplicaFile): string {
  const lines = [mark, ...objects].map((each) => JSON.stringify(each))
  return [form, ...lines].join('\n')
}

/** Parses a replica. Returns `undefined` for anything else. It believes nothing: the guards judge each part when it is read. */
export function parseReplicaFile(text: string): ReplicaFile | undefined {
  const [first, mark = '', ...lines] = text.split('\n')
  if (first !== form) return undefined
  try {
    const objects = new Map(lines.map((line) => objectShape.parse(JSON.parse(line))))
    return { mark: markShape.parse(JSON.parse(mark)), objects }
  } catch {
    return undefined
  }
}
