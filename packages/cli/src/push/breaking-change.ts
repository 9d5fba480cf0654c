import type { ConfigReport } from '../api/operations.ts'
import { ApiError } from '../api/problem-error.ts'
import { isRecord } from '../project/json.ts'
import { returningLines } from '../schema/returning-lines.ts'
import { CliError } from '../terminal/cli-error.ts'

/** Returns the server's report when it refuses a schema because stored values would break. `undefined` for any other error. */
export function findBreakReport(error: unknown): ConfigReport | undefined {
  if (!(error instanceof ApiError) || error.code !== 'breaking_change') return undefined
  const { report } = error.problem
  return (Array.isArray(report) ? report : []).filter(isRecord).map((entry) => ({
    environment: String(entry['environment']),
    environmentId: String(entry['environmentId']),
    missing: texts(entry['missing']),
    invalid: (Array.isArray(entry['invalid']) ? entry['invalid'] : [])
      .filter(isRecord)
      .map(({ key, detail }) => ({ key: String(key), detail: String(detail) })),
    orphaned: texts(entry['orphaned']),
    ...(isReturning(entry['returning']) && { returning: entry['returning'] }),
  }))
}

type Returning = NonNullable<ConfigReport[number]['returning']>

/** Returns whether a part of the server's report lists values. The server has made it, so its parts are not checked. */
function isReturning(value: unknown): value is Returning {
  return Array.isArray(value) && value.every((one) => isRecord(one) && 'key' in one)
}

/** Returns the keys whose stored values a refused schema would bring back; none for any other error. */
export function findReturns(error: unknown): string[] {
  if (!(error instanceof ApiError) || error.code !== 'breaking_change') return []
  return texts(error.problem.returns)
}

/** Returns the rejection of a push that would bring values back, which `--allow-breaking` does not cover. */
export function returningChange(keys: readonly string[], report: ConfigReport): CliError {
  const names = keys.join(', ')
  return new CliError(
    'validation',
    'breaking_change',
    `Values from an earlier time would come back: ${names}.`,
    {
      details: returningLines(report),
      advice: `To bring them back, repeat with --restore ${keys.join(',')}. To begin without them, repeat with --forget ${keys.join(',')}`,
    },
  )
}

function texts(value: unknown): string[] {
  return (Array.isArray(value) ? value : []).map(String)
}

/**
 * Returns the stored values that a refused schema would break, one line each. Example: `production: retries: Use a
 * number of at most 5.`
 */
export function brokenLines(report: ConfigReport): string[] {
  const lines = report.flatMap(({ environment, invalid, orphaned }) => [
    ...invalid.map(({ key, detail }) => `${environment}: ${key}: ${detail}`),
    ...orphaned.map(
      (key) =>
        `${environment}: ${key}: Applications could no longer read its value. Without --prune the key stays.`,
    ),
  ])
  return lines.length > 0 ? lines : ['stored values would become invalid']
}

/** Returns the rejection of a push, with a line for everything that it could break. */
export function breakingChange(lines: readonly string[]): CliError {
  return new CliError(
    'validation',
    'breaking_change',
    'The push could break applications that read these keys.',
    {
      details: lines,
      advice: 'To push anyway, repeat with --allow-breaking.',
    },
  )
}

/** Returns the keys whose stored secrets a refused schema would publish; none for any other error. */
export function findExposed(error: unknown): string[] {
  if (!(error instanceof ApiError) || error.code !== 'breaking_change') return []
  return texts(error.problem.exposes)
}

/** Returns the rejection of a push that would publish secrets, which `--allow-breaking` does not cover. */
export function exposingChange(keys: readonly string[]): CliError {
  const names = keys.join(', ')
  return new CliError(
    'validation',
    'breaking_change',
    `The push would publish stored secrets: ${names}.`,
    { advice: `To make them public, repeat with --expose ${keys.join(',')}` },
  )
}
