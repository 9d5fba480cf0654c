import { chunkBytes, chunkKey, chunksHeader } from '../replica/nats-subjects.ts'
import type { Bucket } from './bucket.ts'

/** Reads an object, all parts of it. Returns `undefined` unless all are there. @throws {NatsUpstreamError} */
export async function readObject(
  bucket: Pick<Bucket, 'read'>,
  key: string,
): Promise<string | undefined> {
  const value = await bucket.read(key)
  if (value === undefined) return undefined
  const count = value.header(chunksHeader)
  if (count === '') return toText([value.data])
  const numbers = [...Array(Number(count)).keys()]
  const parts = await Promise.all(numbers.map((number) => bucket.read(chunkKey(key, number))))
  const whole = parts.filter((part) => part !== undefined)
  return whole.length === parts.length ? toText(whole.map(({ data }) => data)) : undefined
}

/** Stores an object under its hash, in parts where it is long. Repeats change nothing. @throws {NatsUpstreamError} */
export async function putObject(
  bucket: Pick<Bucket, 'put'>,
  key: string,
  text: string,
): Promise<void> {
  const bytes = Buffer.from(text)
  if (bytes.length <= chunkBytes) return bucket.put(key, bytes)
  const count = Math.ceil(bytes.length / chunkBytes)
  for (let number = 0; number < count; number += 1) {
    const part = bytes.subarray(number * chunkBytes, (number + 1) * chunkBytes)
    await bucket.put(chunkKey(key, number), part)
  }
  // The last, so that whoever reads it can read all parts.
  await bucket.put(key, '', { headers: { [chunksHeader]: String(count) } })
}

function toText(parts: readonly Uint8Array[]): string {
  return Buffer.concat(parts).toString('utf8')
}
