import { nameUuid } from '../../crypto/name-uuid.ts'

/** Holds the namespace of the UUIDs. It must never change: a post that is repeated after an update needs the key of the first. */
const messages = '5d7c7f3a-2c0b-4f7e-9a55-3b1f6f0f5c21'

/**
 * Returns the key by which a chat recognizes that a second post repeats the first. `name` belongs to one message of one
 * organization, such as `ntf_…/1`: no two servers make the same id.
 */
export function keyOfMessage(name: string): string {
  return nameUuid(messages, name)
}
