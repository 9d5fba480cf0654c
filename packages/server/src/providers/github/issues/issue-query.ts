import type { GithubQuery } from '../query-answer.ts'

/** Names issues of one repository by their numbers. */
export interface WantedIssues {
  /** Example: `acme/shop`. */
  readonly repository: string
  readonly numbers: readonly number[]
}

const issueFields = `__typename
      ... on Issue {
        fullDatabaseId number title url state stateReason
        repository { nameWithOwner }
        assignees(first: 1) { nodes { login name } }
      }`

/**
 * Renders one query for issues of many repositories: the repository `r0` with its issue `i12`. Whoever is asked for with a number
 * may be a pull request, and is `null` where there is none or it is hidden.
 */
export function toIssueQuery(groups: readonly WantedIssues[]): GithubQuery {
  const declared = groups.map((_, at) => `$o${at}: String!, $n${at}: String!`)
  const repositories = groups.map(({ numbers }, at) => {
    const issues = numbers.map(
      (number) =>
        `i${number}: issueOrPullRequest(number: ${number}) {\n      ${issueFields}\n    }`,
    )
    return `  r${at}: repository(owner: $o${at}, name: $n${at}) {\n    ${issues.join('\n    ')}\n  }`
  })
  return {
    query: `query (${declared.join(', ')}) {\n${repositories.join('\n')}\n}`,
    variables: Object.fromEntries(
      groups.flatMap(({ repository }, at) => {
        const slash = repository.indexOf('/')
        return [
          [`o${at}`, repository.slice(0, slash)],
          [`n${at}`, repository.slice(slash + 1)],
        ]
      }),
    ),
  }
}
