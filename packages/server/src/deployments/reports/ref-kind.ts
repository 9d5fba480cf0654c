/** Describes the ref that was deployed. */
export interface DeployedRef {
  /** Without `refs/heads/` or `refs/tags/`. */
  readonly ref: string
  readonly refKind: 'branch' | 'tag' | 'sha'
}

const branchPrefix = 'refs/heads/'
const tagPrefix = 'refs/tags/'
const hash = /^[0-9a-f]{7,64}$/i
/** Hosts do not say whether a short name is a tag. Names of versions are, hardly ever those of branches. */
const versionName = /^v?\d{1,9}\.\d{1,9}(?:\.\d{1,9})?(?:[-+][\w.+-]{1,100})?$/

/** Returns which kind of ref was deployed: a commit, a tag, else a branch. Example: `refs/tags/v1.2.0` is the tag `v1.2.0`. */
export function classifyRef(ref: string, sha: string): DeployedRef {
  if (ref.startsWith(branchPrefix)) {
    return { ref: ref.slice(branchPrefix.length), refKind: 'branch' }
  }
  if (ref.startsWith(tagPrefix)) return { ref: ref.slice(tagPrefix.length), refKind: 'tag' }
  if (hash.test(ref) && sha.toLowerCase().startsWith(ref.toLowerCase())) {
    return { ref, refKind: 'sha' }
  }
  return { ref, refKind: versionName.test(ref) ? 'tag' : 'branch' }
}
