interface Listed {
  readonly targets: readonly { readonly latest: { readonly at: string } }[]
}

/** Returns the `count` repositories with the newest deployments, in the order of the list. */
export function pickRepositories<Repository extends Listed>(
  repositories: readonly Repository[],
  count: number,
): readonly Repository[] {
  if (repositories.length <= count) return repositories
  const newestFirst = repositories.toSorted((a, b) => newestOf(b) - newestOf(a))
  const picked = new Set(newestFirst.slice(0, count))
  return repositories.filter((repository) => picked.has(repository))
}

function newestOf({ targets }: Listed): number {
  return Math.max(...targets.map(({ latest }) => Date.parse(latest.at)))
}
