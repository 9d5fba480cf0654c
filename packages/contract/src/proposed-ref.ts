/** Describes a ref that a host keeps for a change that is proposed: a merge request or a pull request. */
export interface ProposedRef {
  readonly kind: 'merge request' | 'pull request'
  readonly number: string
}

const kinds = { 'merge-requests': 'merge request', pull: 'pull request' } as const

/** Reads a ref of a proposed change, such as `refs/merge-requests/7/head`; `undefined` for any other, a branch among them. */
export function parseProposedRef(ref: string): ProposedRef | undefined {
  const [, kind, number = ''] = /^refs\/(merge-requests|pull)\/(\d{1,12})\//.exec(ref) ?? []
  return kind === 'merge-requests' || kind === 'pull' ? { kind: kinds[kind], number } : undefined
}

/** Returns what people call a ref. Example: `merge request !7`, `pull request #12`, `main`. */
export function nameOfRef(ref: string): string {
  const proposed = parseProposedRef(ref)
  if (proposed === undefined) return ref
  return `${proposed.kind} ${proposed.kind === 'merge request' ? '!' : '#'}${proposed.number}`
}
