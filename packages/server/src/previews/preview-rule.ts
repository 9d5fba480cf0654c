import { fitsGlob } from '../deployments/environments/environment-globs.ts'

/** Describes a rule as it is stored. */
export interface PreviewRuleRow {
  readonly id: string
  /** Holds one `*`, which is the number of the pull request. */
  readonly pattern: string
  /** Lists repositories by name. Empty: all. */
  readonly repositories: readonly string[]
  readonly parentId: string
  /** Lists the keys whose secrets previews inherit. `null`: all. */
  readonly secrets: readonly string[] | null
  readonly expiresDays: number
  readonly max: number
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Returns the rule of a repository, the oldest that is for it; with a host environment the oldest that fits its name too. */
export function findRule(
  rules: readonly PreviewRuleRow[],
  repository: string,
  hostEnvironment?: string,
): PreviewRuleRow | undefined {
  const name = repository.toLowerCase()
  return rules.find(
    ({ repositories, pattern }) =>
      (repositories.length === 0 || repositories.some((one) => one.toLowerCase() === name)) &&
      (hostEnvironment === undefined || fitsGlob(pattern, hostEnvironment)),
  )
}

/** Returns the name at the code host of the preview of a pull request. Example: `pr-*` and 7 are `pr-7`. */
export function nameHostPreview({ pattern }: Pick<PreviewRuleRow, 'pattern'>, number: number) {
  return pattern.replace('*', String(number))
}

/** Reads the number of a pull request from a name. `undefined`: the name has none where the rule has its `*`. */
export function readNumber(
  { pattern }: Pick<PreviewRuleRow, 'pattern'>,
  hostEnvironment: string,
): number | undefined {
  const [before = '', after = ''] = pattern.split('*')
  const text = hostEnvironment.slice(before.length, hostEnvironment.length - after.length)
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}
