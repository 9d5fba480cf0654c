import { z } from 'zod'
import { nowBytes } from './nats-subjects.ts'
import { nameOfObject, parseJson, signedShape } from './object-name.ts'
import type { Signed } from './signed.ts'

/** Says what is current at the moment, with the objects that nobody can fetch yet. */
export interface NowMessage {
  readonly mark: Signed
  /** Maps each index, manifest and record by its hash. */
  readonly objects: ReadonlyMap<string, string>
}

const shape = z.object({
  mark: signedShape,
  objects: z.array(z.string()),
})

/** Renders a message; `undefined` where it would be too long for one. */
export function renderNow(
  { text, signatures }: Signed,
  objects: Iterable<string>,
): string | undefined {
  const texts: string[] = []
  let bytes = 0
  for (const object of objects) {
    // Before anything is rendered: with many objects that alone would take long.
    bytes += object.length
    if (bytes > nowBytes) return undefined
    texts.push(object)
  }
  const message = JSON.stringify({ mark: { text, signatures }, objects: texts })
  return Buffer.byteLength(message) > nowBytes ? undefined : message
}

/** Parses a message. Objects that are not what their names say are left out. Returns `undefined` for anything else. */
export function parseNow(text: string): NowMessage | undefined {
  if (text.length > nowBytes) return undefined
  const { data } = shape.safeParse(parseJson(text))
  if (data === undefined) return undefined
  const named = data.objects.map((object) => [nameOfObject(object), object] as const)
  return {
    mark: data.mark,
    objects: new Map(named.filter((each): each is [string, string] => each[0] !== undefined)),
  }
}
