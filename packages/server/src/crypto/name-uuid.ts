import { createHash } from 'node:crypto'

/**
 * Returns a UUID that is the same for the same names: version 5, over SHA-1. It is neither a secret nor a proof.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9562#section-5.5
 */
export function nameUuid(space: string, name: string): string {
  const spaceBytes = Buffer.from(space.replaceAll('-', ''), 'hex')
  if (spaceBytes.length !== 16) throw new Error('A namespace is a UUID.')
  const bytes = createHash('sha1').update(spaceBytes).update(name).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
