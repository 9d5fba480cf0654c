/** GitHub's second id, which says the kind as well. Example: `toNodeId('Deployment', 7)`. */
export function toNodeId(kind: string, id: number | string): string {
  return Buffer.from(`0${kind.length}:${kind}${id}`).toString('base64')
}
