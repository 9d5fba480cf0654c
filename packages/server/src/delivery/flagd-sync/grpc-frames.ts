/** Limits the message of a request: a provider's id and a selector. */
export const requestBytes = 4 * 1024

/** Describes a request of flagd's sync service. */
export interface SyncRequest {
  readonly selector: string | undefined
}

/** Wraps a message for the wire: not compressed, and its length in four bytes. */
export function frame(message: Buffer): Buffer {
  const prefix = Buffer.alloc(5)
  prefix.writeUInt32BE(message.length, 1)
  return Buffer.concat([prefix, message])
}

/** Returns the message of the only frame of a request; `undefined` when it is none that we read. */
export function unframe(bytes: Buffer): Buffer | undefined {
  if (bytes.length < 5 || bytes[0] !== 0) return undefined
  const message = bytes.subarray(5)
  return bytes.readUInt32BE(1) === message.length ? message : undefined
}

/** Renders `SyncFlagsResponse` and `FetchAllFlagsResponse`, which are alike: `string flag_configuration = 1`. */
export function renderConfiguration(definition: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x0a]), renderLength(definition.length), definition])
}

function renderLength(length: number): Buffer {
  const bytes: number[] = []
  let left = length
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) + 0x80)
  return Buffer.from([...bytes, left])
}

/** Parses `SyncFlagsRequest` and `FetchAllFlagsRequest`: `string selector = 2`. Returns `undefined` for anything else. */
export function parseRequest(message: Buffer): SyncRequest | undefined {
  let selector: string | undefined
  let at = 0
  while (at < message.length) {
    const tag = message[at] ?? 0
    const length = readLength(message, at + 1)
    // Both members are texts. Newer ones may be added to the service, and would be texts or messages.
    if ((tag & 7) !== 2 || length === undefined || length.end + length.value > message.length) {
      return undefined
    }
    at = length.end + length.value
    if (tag >> 3 === 2) selector = message.toString('utf8', length.end, at)
  }
  return { selector }
}

function readLength(bytes: Buffer, from: number): { value: number; end: number } | undefined {
  let value = 0
  for (let index = 0; index < 4; index += 1) {
    const byte = bytes[from + index]
    if (byte === undefined) return undefined
    value += (byte & 0x7f) * 0x80 ** index
    if (byte < 0x80) return { value, end: from + index + 1 }
  }
  return undefined
}
