/**
 * Returns a channel of a chat as people write it: `#deployments`. A name with a space is a title, such as
 * `Acme / Town Square`, and stands as it is.
 */
export function labelChannel(name: string): string {
  const bare = name.replace(/^#/, '')
  return /\s/.test(bare) ? bare : `#${bare}`
}
