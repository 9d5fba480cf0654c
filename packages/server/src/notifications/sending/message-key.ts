import { nameUuid } from '../../crypto/name-uuid.ts'

/** What names of messages stand in. Never changed: a post that is repeated after an update has the key of the first. */
const messages = '5d7c7f3a-2c0b-4f7e-9a55-3b1f6f0f5c21'

/**
 * The key by which a chat knows that a second post is the first one again. `name` is of one message of one
 * organization, such as `ntf_…/1`: ids are never given twice, on whichever server.
 */
export function keyOfMessage(name: string): string {
  return nameUuid(messages, name)
}
