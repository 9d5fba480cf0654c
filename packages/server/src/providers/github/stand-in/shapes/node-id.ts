/** Returns GitHub's second id, which includes the kind. Example: `toNodeId('Deployment', 7)`. */
export function toNodeId(kind: string, id: number | string): string {
  return Buffer.from(`0${kind.length}:${kind}${id}`).toString('base64')
}
