/** Returns what tells an instance from others in ids. Example: `gitlab.example.com/code` of `https://gitlab.example.com/code`. */
export function instanceOf(webUrl: string): string {
  return webUrl.replace(/^[a-z]+:\/\//i, '').replace(/\/+$/, '')
}

/** Returns the id of a project beyond its instance, where every other instance may have the same number. */
export function toRepositoryId(instance: string, projectId: string): string {
  return `${instance}/${projectId}`
}

const digits = /^\d{1,20}$/

/** Returns the number of a project of this instance; `undefined` for one of another instance or host. */
export function readProjectId(instance: string, repositoryId: string): string | undefined {
  const start = `${instance}/`
  const id = repositoryId.startsWith(start) ? repositoryId.slice(start.length) : ''
  return digits.test(id) ? id : undefined
}
