/** The first moment that Discord's ids count from, in milliseconds. */
const epochMs = 1_420_070_400_000

/**
 * Returns a key as a nonce: the 16 bytes of the UUID in 22 characters, because Discord takes 25 at most and a UUID has 36.
 *
 * @see https://docs.discord.com/developers/resources/message#create-message
 */
export function toNonce(key: string): string {
  return Buffer.from(key.replaceAll('-', ''), 'hex').toString('base64url')
}

/** Returns the id that a message of that moment would have at the least. */
export function toSnowflake(at: Date): string {
  return (BigInt(Math.max(0, at.getTime() - epochMs)) << 22n).toString()
}
